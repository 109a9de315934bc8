//! The status gate: when a message is typed, when it waits and what it says meanwhile, and when it fails.

use serde_json::json;

use super::stage::{Stage, came_to, detached, ticket};
use crate::support::panes::dialog;
use crate::support::proposals::with;

#[tokio::test]
async fn row_idle_and_a_plain_question_take_the_head_and_no_other_state_does() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    for (report, why) in [
        (json!({ "status": "working", "safe_to_type": false }), "working"),
        (json!({ "status": "unknown", "safe_to_type": false }), "unknown"),
        (json!({ "status": "blocked", "safe_to_type": false }), "blocked"),
        (json!({ "status": "blocked", "safe_to_type": true, "awaiting_input": true }), "blocked"),
        (json!({ "safe_to_type": false }), "not_safe_to_type"),
        (json!({ "limit": true }), "usage_limit"),
    ] {
        pane.put(report.clone()).await;
        let sent = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Next.", "wait": 1 })).await;
        assert_eq!(came_to(&sent), ("queued", why), "{report}");
        stage.tick().await;
        stage.no_order().await;
        // The seed's injectable BLOCKED, a question in plain words, is idle here.
        pane.put(json!({ "awaiting_input": true })).await;
        stage.typed().await;
        pane.working().await;
        pane.idle().await;
        assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await).0, "turn_done");
        stage.pass(4).await;
    }
}

#[tokio::test]
async fn a_dialog_that_came_after_the_report_keeps_the_pane_closed() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    stage.eyes.report(&with(dialog("ls"), &json!({ "pane": "api.1" }))).await;
    let sent = boss.tool("fleet_send", detached("s-api", "Next.")).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("queued", "blocked"));
    pane.idle().await;
    stage.typed().await;
}

#[tokio::test]
async fn row_a_second_send_to_a_busy_member_stays_queued_and_says_so() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let first = boss.tool("fleet_send", detached("s-api", "First.")).await;
    stage.typed().await;
    pane.working().await;
    let second = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Second.", "wait": 1 })).await;
    assert_eq!(came_to(&second), ("queued", "behind_another"));
    assert!(second.text.contains("do not send it again"), "{}", second.text);
    coder.tool("fleet_reply", json!({ "content": "One." })).await;
    stage.tick().await;
    stage.no_order().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&first)).await), ("reply", ""));
    stage.pass(3).await;
    pane.idle().await;
    let order = stage.typed().await;
    assert!(
        order["text"].as_str().unwrap().contains("\nSecond.\n"),
        "the end of the turn restarts the member: {order}"
    );
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "Two." })).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&second)).await), ("reply", ""));
}

#[tokio::test]
async fn row_a_member_that_never_mounts_fails_after_a_minute_and_one_that_does_is_sent_to() {
    let stage = Stage::new().await;
    let pane = stage.api();
    pane.idle().await;
    let boss = stage.session("boss").await;
    let lost = boss.tool("fleet_send", detached("s-api", "Hello?")).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&lost)).await), ("queued", "not_mounted_yet"));
    stage.pass(40).await;
    pane.idle().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&lost)).await).0, "queued");
    let kept = boss.tool("fleet_send", detached("s-api", "Hello again.")).await;
    stage.pass(21).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&lost)).await), ("failed", "not_mounted"));
    stage.no_order().await;
    let _coder = stage.session("coder").await;
    stage.tick().await;
    stage.typed().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&kept)).await).0, "pending");
}

#[tokio::test]
async fn row_another_session_in_the_pane_or_none_for_five_minutes_is_gone() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let typed = boss.tool("fleet_send", detached("s-api", "Typed.")).await;
    stage.typed().await;
    let waits = boss.tool("fleet_send", detached("s-api", "Waits.")).await;
    stage.pane("api.1", "api", "s-other").idle().await;
    for told in [&typed, &waits] {
        assert_eq!(came_to(&boss.tool("fleet_poll", ticket(told)).await), ("failed", "session_gone"));
    }
    let gone = boss.tool("fleet_send", detached("s-api", "Late.")).await;
    assert_eq!((gone.is_error, gone.code()), (true, "not_found"));
    pane.status("unknown").await;
    let silent = boss.tool("fleet_send", detached("s-api", "Anybody?")).await;
    stage.pass(270).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&silent)).await), ("queued", "unknown"));
    stage.pass(31).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&silent)).await), ("failed", "session_gone"));
    stage.no_order().await;
}

#[tokio::test]
async fn while_everything_is_paused_nothing_is_typed() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let ada = stage.app.who("ada");
    ada.post("/api/v1/pause", &json!({ "reason": "look first" })).await.assert_status(200);
    let sent = boss.tool("fleet_send", detached("s-api", "Go on.")).await;
    pane.idle().await;
    stage.no_order().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("queued", "paused"));
}
