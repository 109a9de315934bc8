//! Texts and the legacy path: a nudge is typed into an agent that rests, and a confirmed rule answers with supervision off.

use serde_json::json;

use super::desk::{Desk, OUTSIDE, ask};
use crate::support::cluster;

const IDLE: &str = "{\"idle\":true}\n";

#[tokio::test]
async fn a_nudge_is_typed_into_an_agent_that_rests_and_journaled() {
    let desk = Desk::open(IDLE).await;
    let rests = "select count(*) from panes where status = 'idle' and safe_to_type and key = 'agents.0'";
    desk.until("rest", async || {
        let mut conn = cluster::connect(&desk.app.database).await;
        (sqlx::query_scalar::<_, i64>(rests).fetch_one(&mut conn).await.unwrap() == 1).then_some(())
    })
    .await;
    let nudge = json!({ "lane": "desk", "text": "Please go on." });
    let answer = desk.ben.post("/api/v1/supervision/nudge", &nudge).await;
    assert!([200, 202].contains(&answer.status), "{}", answer.status);
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["trigger"]), (&json!("sent"), &json!("manual_nudge")), "{rows:?}");
    let notes = desk.pane.notes();
    let lines: Vec<_> = notes.iter().filter_map(|note| note["typed"].as_str()).collect();
    assert_eq!(lines, ["Please go on."], "{notes:?}");
}

#[tokio::test]
async fn a_nudge_waits_for_no_dialog_to_be_typed_into() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    desk.held().await;
    desk.ben.post("/api/v1/supervision/nudge", &json!({ "lane": "desk" })).await;
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("skipped"), &json!("dialog_present")), "{rows:?}");
    assert!(desk.pane.keys().is_empty());
}

#[tokio::test]
async fn with_supervision_off_a_confirmed_rule_answers_through_the_same_hand() {
    let desk = Desk::unwatched(&ask("make docs")).await;
    let rule = json!({ "project": "real", "argv": ["make", "docs"], "match": "exact" });
    desk.app.machine().post("/api/v1/rules", &rule).await.assert_status(201);
    desk.app.set_policy(&json!({ "enabled": false })).await;
    let desk = desk.watched();
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["trigger"], &rows[0]["outcome"]), (&json!("legacy_rule"), &json!("sent")), "{rows:?}");
    assert_eq!(desk.pane.keys(), ["1"]);
}
