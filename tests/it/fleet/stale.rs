//! Lines that have waited for their pane: typed only while they still mean something there.

use serde_json::json;

use super::stage::{Stage, came_to, detached, said, ticket};
use crate::support::mcp::Session;

/// A nudge for the lead is ordered, and nobody has taken it yet.
async fn nudge_ordered(stage: &Stage, (boss, coder): (&Session, &Session)) -> serde_json::Value {
    let pane = stage.api();
    let sent = boss.tool("fleet_send", detached("s-api", "Do it.")).await;
    stage.typed().await;
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "Done." })).await;
    stage.app.advance(chrono::TimeDelta::seconds(6));
    stage.hq().idle().await;
    stage.tick().await;
    ticket(&sent)
}

#[tokio::test]
async fn a_nudge_for_news_that_the_lead_has_by_now_is_not_typed() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    let sent = nudge_ordered(&stage, (&boss, &coder)).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", sent).await), ("reply", ""));
    stage.no_order().await;
    let rows = stage.app.acted().await;
    let last = rows.last().unwrap();
    assert_eq!((&last["outcome"], &last["reason"]), (&json!("skipped"), &json!("state_changed")));
}

#[tokio::test]
async fn a_nudge_waits_while_the_lead_works_and_is_void_when_its_pane_is_another_lanes() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    nudge_ordered(&stage, (&boss, &coder)).await;
    stage.hq().working().await;
    stage.no_order().await;
    stage.pane("hq.1", "web", "s-web").idle().await;
    stage.no_order().await;
    let rows = stage.app.acted().await;
    let last = rows.last().unwrap();
    assert_eq!((&last["outcome"], &last["reason"]), (&json!("skipped"), &json!("state_changed")));
}

#[tokio::test]
async fn a_persons_line_is_not_typed_into_another_lanes_agent() {
    let stage = Stage::new().await;
    let pane = stage.api();
    pane.idle().await;
    let ben = stage.app.who("ben");
    let wish = json!({ "lane": "api", "text": "Stop that." });
    let nudging = ben.post("/api/v1/supervision/nudge", &wish);
    let moved = async {
        while stage.app.state.hub.waiters.count() == (0, 0) {
            tokio::task::yield_now().await;
        }
        stage.pane("api.1", "web", "s-web").idle().await;
        stage.no_order().await;
    };
    let (told, ()) = tokio::join!(nudging, moved);
    let told = told.body(200);
    assert_eq!((&told["outcome"], &told["reason"]), (&json!("skipped"), &json!("capture_failed")));
}

#[tokio::test]
async fn an_answer_that_may_have_been_lost_on_its_way_is_told_of_once_more() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let lead = stage.hq();
    let member = async {
        stage.typed().await;
        pane.working().await;
        coder.tool("fleet_reply", json!({ "content": "Done." })).await;
    };
    // The lead's client never sees this answer, nor with it the ticket.
    let wish = json!({ "sessionId": "s-api", "content": "Go." });
    let (lost, ()) = tokio::join!(boss.tool("fleet_send", wish), member);
    for secs in [20, 20] {
        stage.app.advance(chrono::TimeDelta::seconds(secs));
        lead.idle().await;
        stage.tick().await;
        stage.no_order().await;
    }
    stage.app.advance(chrono::TimeDelta::seconds(21));
    lead.idle().await;
    stage.tick().await;
    let nudge = stage.typed().await;
    assert!(nudge["text"].as_str().unwrap().contains(said(&lost, "ticket")), "{nudge}");
    let told = boss.tool("fleet_poll", ticket(&lost)).await;
    assert_eq!((came_to(&told), said(&told, "content")), (("reply", ""), "Done."));
    stage.app.advance(chrono::TimeDelta::seconds(90));
    lead.idle().await;
    stage.tick().await;
    stage.no_order().await;
}
