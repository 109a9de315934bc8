//! What only one of the agents does, or only a person at the terminal.

use serde_json::json;

use super::agent::{Agent, EDITED};
use super::place::{MEASURE, MEASURED};
use super::stage::Stage;
use crate::support::llm::{Call, Input};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn what_is_answered_at_the_terminal_waits_for_nobody() {
    let stage = Stage::set(Agent::Codex, |_| vec![Agent::Codex.shell(MEASURE)]).await;
    let held = stage.held().await;
    stage.terminal.press("y");
    let asked = stage.model.asked_after(1).await;
    assert!(asked.outputs[0].contains(MEASURED), "{:?}", asked.outputs);
    assert_eq!(stage.gone(&held).await, json!("withdrawn"));
    assert_eq!(stage.orders().await, [json!(null); 0]);
}

/// Codex shows three lines of an edit; what is folded away nobody has seen, so no policy approves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn an_edit_that_codex_folds_waits_for_a_person() {
    let lines = "+another line\n".repeat(70);
    let patch = format!("*** Begin Patch\n*** Update File: {EDITED}\n@@\n-hello\n{lines}*** End Patch\n");
    let call = Call::new("apply_patch", Input::Text(patch));
    let stage = Stage::set(Agent::Codex, |_| vec![call]).await;
    let held = stage.held().await;
    let review = stage.review(&held).await;
    assert_eq!((&review["class"], &review["truncated"]), (&json!("file_write"), &json!(true)), "{review:#}");
    assert!(review["context"].as_str().is_some_and(|text| text.contains("(+70 -1)")), "{review:#}");
    stage.decide(&held, "approved").await;
    stage.model.asked_after(1).await;
    assert_eq!(stage.place.greeting().lines().count(), 70);
}

/// opencode asks for the folder first and for the command then: two dialogs with the same title, one right after the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn two_dialogs_back_to_back_get_an_answer_each() {
    let mut secret = "";
    let stage = Stage::set(Agent::Opencode, |place| {
        let (command, words) = place.peek();
        secret = words;
        vec![Agent::Opencode.shell(&command)]
    })
    .await;
    let folder = stage.held().await;
    assert_eq!(stage.review(&folder).await["class"], "unknown");
    stage.decide(&folder, "approved").await;
    let command = stage.held_after(&folder).await;
    assert!(stage.review(&command).await["command"].as_str().is_some_and(|text| text.starts_with("cat ")));
    stage.decide(&command, "rejected").await;
    let rows = stage.answered("", 2).await;
    let told: Vec<_> = rows.iter().map(|row| (&row["decision"], &row["outcome"], &row["keys"])).collect();
    assert_eq!((told[0].0, told[0].1), (&json!("approve"), &json!("sent")), "{rows:#?}");
    assert_eq!((told[1].0, told[1].1), (&json!("deny"), &json!("sent")), "{rows:#?}");
    assert_eq!(rows.len(), 2);
    assert!(!stage.terminal.seen().contains(secret) && stage.model.results().concat().concat().is_empty());
}
