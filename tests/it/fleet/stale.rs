//! Lines that have waited for their pane: typed only while they still mean something there.

use serde_json::json;

use super::stage::{Stage, came_to, said, ticket};

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
