//! What happens to dialogs: the routine is answered, the rest waits, and exactly one key is pressed or none.

use serde_json::json;

use super::desk::{Desk, OUTSIDE, ask};
use crate::support::scratch;

#[tokio::test]
async fn a_routine_dialog_is_answered_and_the_agent_goes_on() {
    let desk = Desk::open(&ask("git status")).await;
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["keys"]), (&json!("sent"), &json!(["1"])), "{rows:?}");
    assert_eq!(
        (rows.len(), &rows[0]["decision"], &rows[0]["policy_source"]),
        (1, &json!("approve"), &json!("global_class"))
    );
    assert_eq!(desk.pane.keys(), ["1"]);
    assert_eq!(desk.pane.chosen()[0]["text"], "Yes");
    assert!(desk.inbox().await.is_empty(), "nobody was asked");
}

#[tokio::test]
async fn what_a_person_approves_is_pressed_once() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    assert!(desk.pane.keys().is_empty(), "nothing is pressed before somebody decides");
    desk.ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["keys"]), (&json!("sent"), &json!(["1"])), "{rows:?}");
    assert_eq!(desk.pane.keys(), ["1"]);
    assert_eq!(desk.review(&held["id"]).await["receipts"]["executed"], "sent");
}

#[tokio::test]
async fn what_a_person_rejects_is_refused_in_place() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    desk.ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["keys"]), (&json!("sent"), &json!(["3"])), "{rows:?}");
    assert_eq!(desk.pane.keys(), ["3"]);
}

#[tokio::test]
async fn what_is_answered_by_hand_is_withdrawn_on_every_phone() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    desk.press(&["1"]);
    desk.until("the withdrawal", async || desk.inbox().await.is_empty().then_some(())).await;
    let review = desk.review(&held["id"]).await;
    assert_eq!(review["status"], "withdrawn", "{review}");
    desk.ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(409);
    assert_eq!(desk.pane.keys(), ["1"], "only the hand's");
}

#[tokio::test]
async fn two_dialogs_with_the_same_question_are_two() {
    let desk = Desk::open(&(ask(OUTSIDE) + &ask("curl https://example.org/y") + &ask("git status"))).await;
    let first = desk.held().await;
    desk.ben.rule(&first, &json!({ "outcome": "approved" })).await.assert_status(200);
    let second = desk.other(&first).await;
    assert_eq!(desk.pane.keys(), ["1"], "the first decision answers nothing but the first");
    desk.ben.rule(&second, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let rows = desk.acted(3).await;
    let keys: Vec<_> = rows.iter().map(|row| row["keys"][0].as_str().unwrap()).collect();
    assert_eq!(keys, ["1", "3", "1"], "{rows:?}");
    assert_eq!(desk.pane.keys(), ["1", "3", "1"]);
}

#[tokio::test]
async fn the_same_command_asked_twice_is_decided_twice() {
    let pause = "{\"work_ms\":1000}\n";
    let desk = Desk::open(&(ask(OUTSIDE) + pause + &ask(OUTSIDE))).await;
    let first = desk.held().await;
    desk.ben.rule(&first, &json!({ "outcome": "approved" })).await.assert_status(200);
    let second = desk.other(&first).await;
    assert_eq!(desk.review(&second["id"]).await["replaces"], json!(null), "it is another dialog");
    assert_eq!(desk.pane.keys(), ["1"]);
    desk.ben.rule(&second, &json!({ "outcome": "approved" })).await.assert_status(200);
    let rows = desk.acted(2).await;
    assert_eq!(desk.pane.keys(), ["1", "1"], "{rows:?}");
}

#[tokio::test]
async fn a_dialog_that_looks_unanswered_is_asked_about_again_and_never_pressed_unasked() {
    // The same request again at once: nothing tells it from one that has swallowed the key.
    let desk = Desk::open(&ask(OUTSIDE).repeat(2)).await;
    let first = desk.held().await;
    desk.ben.rule(&first, &json!({ "outcome": "approved" })).await.assert_status(200);
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("failed"), &json!("dialog_stayed")));
    let second = desk.other(&first).await;
    assert_eq!(desk.review(&second["id"]).await["replaces"], first["id"]);
    assert_eq!(desk.pane.keys(), ["1"], "nobody has asked for another key yet");
    desk.ben.rule(&second, &json!({ "outcome": "approved" })).await.assert_status(200);
    let rows = desk.acted(2).await;
    assert_eq!(rows[1]["outcome"], "sent", "{rows:?}");
    assert_eq!(desk.pane.keys(), ["1", "1"]);
}

#[tokio::test]
async fn what_changed_on_the_disk_voids_the_decision_and_the_dialog_is_asked_about_as_it_is_now() {
    let desk = Desk::open(&ask("git push --force origin main")).await;
    let held = desk.held().await;
    let folder = desk.pane.tmux(["display-message", "-p", "-t", &desk.pane.pane, "#{pane_current_path}"]);
    let git = ["-C", folder.trim(), "config", "core.hooksPath", "elsewhere"];
    assert!(scratch::program("git").args(git).status().unwrap().success());
    desk.ben.rule(&held, &json!({ "outcome": "approved", "note": "Go." })).await.assert_status(200);
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("skipped"), &json!("state_changed")), "{rows:?}");
    assert!(desk.pane.keys().is_empty());
    let again = desk.other(&held).await;
    desk.ben.rule(&again, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let rows = desk.acted(2).await;
    assert_eq!(rows[1]["outcome"], "sent", "{rows:?}");
    assert_eq!(desk.pane.keys(), ["3"]);
}
