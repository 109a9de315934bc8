//! An agent, `countersign pane` beside it and a person with a phone: what is decided is what happens, once.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::agent::{AFTER, Agent, BEFORE, EDITED};
use super::place::{MEASURE, MEASURED, STAGE};
use super::stage::Stage;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codex_does_what_was_decided() {
    story(Agent::Codex).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn codex_with_its_daemon_does_what_was_decided() {
    story(Agent::CodexWithDaemon).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn gemini_does_what_was_decided() {
    story(Agent::Gemini).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn opencode_does_what_was_decided() {
    story(Agent::Opencode).await;
}

/// What each order's row must say: what was decided, by whom, and what came of it.
fn told(row: &Value) -> [&Value; 3] {
    [&row["decision"], &row["policy_source"], &row["outcome"]]
}

async fn story(agent: Agent) {
    let stage = Stage::set(agent, |place| {
        vec![agent.shell(MEASURE), agent.shell(STAGE), agent.edit(&place.work), agent.shell(MEASURE)]
    })
    .await;

    // Held: nothing happens until somebody says yes, then the agent goes on with what the command said.
    let held = stage.held().await;
    assert_eq!(
        (&held["class"], &held["risk"], &held["may_decide"]),
        (&json!("command_exec"), &json!("medium"), &json!(true))
    );
    assert_eq!(stage.place.measurements(), 0);
    stage.decide(&held, "approved").await;
    let asked = stage.model.asked_after(1).await;
    assert!(asked.outputs[0].contains(MEASURED), "{:?}", asked.outputs);
    let rows = stage.answered(MEASURE, 1).await;
    assert_eq!(told(&rows[0]), [&json!("approve"), &json!("person"), &json!("sent")], "{rows:#?}");

    // Routine: nobody is asked.
    stage.model.asked_after(2).await;
    assert_eq!(stage.place.staged(), format!("{EDITED}\n"));
    let rows = stage.answered(STAGE, 1).await;
    assert_eq!(told(&rows[0]), [&json!("approve"), &json!("global_class"), &json!("sent")], "{rows:#?}");

    // An edit, which only Codex' dialog lets be proven.
    if agent.edits_are_held() {
        let held = stage.held().await;
        assert_eq!(stage.place.greeting(), BEFORE);
        stage.decide(&held, "approved").await;
    }
    stage.model.asked_after(3).await;
    assert_eq!(stage.place.greeting(), AFTER);

    // The same command again is another request, and this time the answer is no.
    let again = stage.held().await;
    assert_ne!(again["id"], held["id"]);
    stage.decide(&again, "rejected").await;
    let rows = stage.answered(MEASURE, 2).await;
    assert_eq!(told(&rows[1]), [&json!("deny"), &json!("person"), &json!("sent")], "{rows:#?}");
    assert_eq!(stage.place.measurements(), 1);

    // The agent stopped at the no; a word brings it on.
    stage.nudge("Never mind the wagons, please go on.").await;
    stage.model.asked_that("with the nudge", |asked| asked.talk.contains("Never mind the wagons")).await;
    assert_eq!(stage.place.measurements(), 1);
    let orders = stage.orders().await;
    let ids: HashSet<_> = orders.iter().map(|row| row["order_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), orders.len(), "one row for each order: {orders:#?}");
    // A nudge that came while the agent was still busy was skipped, and sent again.
    let (nudges, answers): (Vec<_>, Vec<_>) = orders.iter().partition(|row| row["trigger"] == "manual_nudge");
    assert_eq!(answers.len(), 4, "{orders:#?}");
    assert!(answers.iter().all(|row| row["outcome"] == "sent"), "{orders:#?}");
    assert_eq!(nudges.iter().filter(|row| row["outcome"] == "sent").count(), 1, "{orders:#?}");
}
