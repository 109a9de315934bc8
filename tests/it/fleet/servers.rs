//! Two servers over one database behave as one: who waits here hears of what happens there.

use std::time::Duration;

use serde_json::json;

use super::stage::{Stage, came_to, detached, said, ticket};

#[tokio::test]
async fn a_call_that_blocks_here_ends_with_what_happens_there() {
    let here = Stage::new().await;
    let there = Stage::beside(&here).await;
    let (boss, _, _) = here.pair().await;
    let (coder, pane) = (there.session("coder").await, there.api());
    let member = async {
        there.typed().await;
        pane.working().await;
        let answer = coder.tool("fleet_ask", json!({ "question": "Left?" })).await;
        assert_eq!((came_to(&answer), said(&answer, "content")), (("reply", ""), "Left."));
        coder.tool("fleet_reply", json!({ "content": "Went left." })).await;
    };
    let lead = async {
        let asked = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Go." })).await;
        assert_eq!(came_to(&asked), ("question", ""));
        boss.tool("fleet_send", json!({ "turnId": said(&asked, "turnId"), "content": "Left." })).await
    };
    let (reply, ()) = tokio::join!(lead, member);
    assert_eq!((came_to(&reply), said(&reply, "content")), (("reply", ""), "Went left."));
    let boss_there = there.session("boss").await;
    assert_eq!(boss_there.tool("fleet_poll", ticket(&reply)).await.data, reply.data);
}

#[tokio::test]
async fn a_question_that_falls_with_its_turn_there_lets_the_member_go_here() {
    let there = Stage::new().await;
    let here = Stage::beside(&there).await;
    let (boss, _, pane) = there.pair().await;
    let coder = here.session("coder").await;
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    let order = there.typed().await;
    assert_eq!(order["session_id"], "s-api", "for that session and no other");
    pane.working().await;
    let lead = async {
        // Long before the 55 seconds in which the question could be answered are over.
        while came_to(&boss.tool("fleet_poll", ticket(&sent)).await) != ("question", "") {
            tokio::task::yield_now().await;
        }
        pane.put(json!({ "ended_turn": true })).await;
    };
    let asking = coder.tool("fleet_ask", json!({ "question": "Left?" }));
    let both = Box::pin(async { tokio::join!(asking, lead) });
    let (answer, ()) = tokio::time::timeout(Duration::from_secs(30), both).await.expect("the member was not let go");
    assert_ne!(came_to(&answer).0, "reply", "{}", answer.text);
}

#[tokio::test]
async fn messages_from_both_servers_stand_in_one_queue_and_are_typed_once() {
    let here = Stage::new().await;
    let there = Stage::beside(&here).await;
    let (boss, _coder, pane) = here.pair().await;
    let boss_there = there.session("boss").await;
    pane.working().await;
    let mut sent = Vec::new();
    for n in 0..6 {
        let lead = if n % 2 == 0 { &boss } else { &boss_there };
        let told = lead.tool("fleet_send", detached("s-api", &format!("Message {n}."))).await;
        sent.push(said(&told, "ticket").to_owned());
    }
    let pane_there = there.api();
    for (n, id) in sent.iter().enumerate() {
        here.app.advance(chrono::TimeDelta::seconds(4));
        there.app.advance(chrono::TimeDelta::seconds(4));
        let (stage, pane) = if n % 2 == 0 { (&there, &pane) } else { (&here, &pane_there) };
        pane.idle().await;
        let ticks = tokio::join!(here.tick(), there.tick());
        assert_eq!(ticks, ((), ()));
        let order = stage.typed().await;
        assert_eq!(order["msg_ids"], json!([id]), "message {n}");
        pane.working().await;
        pane.idle().await;
    }
    here.no_order().await;
}
