//! A lead that does not fetch its news is nudged: only idle, at most three times, a minute apart, and not once it has them.

use serde_json::{Value, json};

use super::stage::{Pane, Stage, came_to, detached, said, ticket};
use crate::support::mcp::{Session, Told};

/// A ticket with a reply that nobody has fetched.
async fn answered(stage: &Stage, (boss, coder, pane): (&Session, &Session, &Pane<'_>)) -> Told {
    let sent = boss.tool("fleet_send", detached("s-api", "Do it.")).await;
    stage.typed().await;
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "Done." })).await;
    pane.idle().await;
    sent
}

/// Half a minute and a little passes while the lead's pane is reported idle.
async fn idle_for(stage: &Stage, lead: &Pane<'_>, secs: i64) {
    let mut left = secs;
    while left > 0 {
        stage.app.advance(chrono::TimeDelta::seconds(left.min(20)));
        lead.idle().await;
        left -= 20;
    }
    stage.tick().await;
}

#[tokio::test]
async fn row_a_terminal_ticket_nudges_the_idle_lead_three_times_a_minute_apart() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let lead = stage.hq();
    lead.working().await;
    let sent = answered(&stage, (&boss, &coder, &pane)).await;
    stage.pass(6).await;
    stage.no_order().await;
    lead.idle().await;
    stage.tick().await;
    let nudge = stage.typed().await;
    assert_eq!(
        (&nudge["kind"], &nudge["trigger"], &nudge["pane"]),
        (&json!("nudge"), &json!("message"), &json!("hq.1"))
    );
    let text = nudge["text"].as_str().unwrap();
    assert!(text.contains(said(&sent, "ticket")) && text.contains("fleet_poll") && !text.contains("Done."), "{text}");
    for nudges in 2..=3 {
        idle_for(&stage, &lead, 35).await;
        stage.no_order().await;
        idle_for(&stage, &lead, 30).await;
        stage.typed().await;
        assert_eq!(nudges_of(&stage).await, nudges);
    }
    idle_for(&stage, &lead, 80).await;
    stage.no_order().await;
}

async fn nudges_of(stage: &Stage) -> usize {
    let is_nudge = |row: &&Value| row["decision"] == "nudge" && row["outcome"] == "sent";
    stage.app.acted().await.iter().filter(is_nudge).count()
}

#[tokio::test]
async fn news_that_was_fetched_nudges_nobody() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let lead = stage.hq();
    let sent = answered(&stage, (&boss, &coder, &pane)).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("reply", ""));
    idle_for(&stage, &lead, 20).await;
    stage.no_order().await;
    // Nor does a blocked call that has them.
    let member = async {
        stage.typed().await;
        coder.tool("fleet_reply", json!({ "content": "Again." })).await;
    };
    let (told, ()) =
        tokio::join!(boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Again." })), member);
    assert_eq!(came_to(&told), ("reply", ""));
    idle_for(&stage, &lead, 20).await;
    stage.no_order().await;
}

#[tokio::test]
async fn a_question_nudges_while_it_can_be_answered() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let lead = stage.hq();
    lead.idle().await;
    boss.tool("fleet_send", detached("s-api", "Choose.")).await;
    stage.typed().await;
    pane.working().await;
    let asking = coder.tool("fleet_ask", json!({ "question": "Left?" }));
    let nudged = async {
        while stage.told().await.iter().all(|(kind, _)| kind != "ticket.question") {}
        idle_for(&stage, &lead, 6).await;
        let nudge = stage.typed().await;
        assert_eq!(nudge["pane"], "hq.1");
        idle_for(&stage, &lead, 50).await;
        idle_for(&stage, &lead, 20).await;
        stage.no_order().await;
    };
    let (answer, ()) = tokio::join!(asking, nudged);
    assert_eq!(came_to(&answer), ("no_answer", ""));
}
