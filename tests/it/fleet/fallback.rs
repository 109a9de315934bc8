//! Flow 1.4: the member never replies. Each row of the seed's table, and what gives way to a late reply.

use serde_json::json;

use super::stage::{Pane, Stage, came_to, detached, said, ticket};
use crate::support::mcp::{Session, Told};

const BRIEF: &str = "Find out why the parser drops the last line, and mend it.";

/// Sends, has it typed and picked up, ends the turn with this tail, and polls.
async fn ends_with(stage: &Stage, (boss, pane): (&Session, &Pane<'_>), tail: impl Fn(&str) -> (String, bool)) -> Told {
    let sent = boss.tool("fleet_send", detached("s-api", BRIEF)).await;
    let order = stage.typed().await;
    pane.working().await;
    let (text, clipped) = tail(order["text"].as_str().unwrap());
    pane.ended(&text, clipped).await;
    boss.tool("fleet_poll", ticket(&sent)).await
}

#[tokio::test]
async fn row_longer_than_the_window_is_clipped_and_marked_partial() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let told = ends_with(&stage, (&boss, &pane), |_| ("…and so it was mended.".into(), true)).await;
    assert_eq!((came_to(&told), &told.data["partial"]), (("turn_done", ""), &json!(true)));
    let content = said(&told, "content");
    assert!(content.contains("A hint") && content.contains("cut off") && content.ends_with("and so it was mended."));
    assert!(told.text.contains("git log"), "{}", told.text);
}

#[tokio::test]
async fn row_spent_credential_is_a_named_failure_and_no_report() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let told =
        ends_with(&stage, (&boss, &pane), |brief| (format!("{brief}\n● Credit balance is too low"), false)).await;
    assert_eq!((came_to(&told), &told.data["content"]), (("exhausted", "spent_credential"), &json!(null)));
}

#[tokio::test]
async fn row_usage_limit_is_a_named_failure_even_behind_its_menu() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", BRIEF)).await;
    stage.typed().await;
    pane.working().await;
    pane.put(json!({ "status": "blocked", "safe_to_type": false, "limit": true })).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("exhausted", "usage_limit"));
}

#[tokio::test]
async fn row_echoed_brief_is_never_content() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    for echo in [|brief: &str| (brief.to_owned(), false), |_: &str| (format!("> {BRIEF}"), true)] {
        let told = ends_with(&stage, (&boss, &pane), echo).await;
        assert_eq!((came_to(&told), &told.data["content"]), (("turn_done", "echoed_brief"), &json!(null)));
        assert!(told.text.contains("perhaps it never began"), "{}", told.text);
        stage.pass(4).await;
        pane.idle().await;
    }
}

#[tokio::test]
async fn row_slow_member_gives_a_hint_and_its_late_reply_takes_the_place_of_it() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let told = ends_with(&stage, (&boss, &pane), |_| ("I looked at the parser first.".into(), false)).await;
    assert_eq!(came_to(&told), ("turn_done", ""));
    assert!(said(&told, "content").contains("A hint"), "{}", told.data);
    assert_eq!(came_to(&coder.tool("fleet_reply", json!({ "content": "Mended." })).await), ("accepted", ""));
    let after = boss.tool("fleet_poll", ticket(&told)).await;
    assert_eq!((came_to(&after), said(&after, "content")), (("reply", ""), "Mended."));
    assert_ne!(said(&after, "msgId"), said(&told, "msgId"), "it is other news");
    let stale = json!({ "target": "s-api", "msgId": said(&told, "msgId") });
    assert_eq!(boss.tool("fleet_ack", stale).await.code(), "not_found", "what was not read is not put away");
}

#[tokio::test]
async fn a_turn_faster_than_the_reports_ends_with_two_idle_ones_after_the_grace() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", BRIEF)).await;
    stage.typed().await;
    for (secs, outcome) in [(0, "pending"), (4, "pending"), (1, "turn_done")] {
        stage.pass(secs).await;
        pane.ended("Mended at once.", false).await;
        let told = boss.tool("fleet_poll", ticket(&sent)).await;
        assert_eq!(told.data["outcome"], outcome, "{}", told.text);
    }
    assert!(said(&boss.tool("fleet_poll", ticket(&sent)).await, "content").ends_with("Mended at once."));
}

#[tokio::test]
async fn a_blocked_call_hears_of_the_end_of_the_turn() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let member = async {
        stage.typed().await;
        pane.working().await;
        pane.put(json!({ "ended_turn": true })).await;
    };
    let (told, ()) = tokio::join!(boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": BRIEF })), member);
    assert_eq!((came_to(&told), &told.data["content"]), (("turn_done", "no_text"), &json!(null)));
}
