//! The flows of the seed, one after another: delegation, clarification, detached delegation.

use serde_json::json;

use super::stage::{Stage, came_to, detached, said, ticket};

#[tokio::test]
async fn flow_1_1_one_blocking_call_ends_with_the_members_reply() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let member = async {
        let order = stage.typed().await;
        assert_eq!(
            (&order["kind"], &order["trigger"], &order["pane"]),
            (&json!("message"), &json!("message"), &json!("api.1"))
        );
        let text = order["text"].as_str().unwrap();
        assert!(
            text.starts_with("[COUNTERSIGN MESSAGE id=")
                && text.contains(" from=boss]\nFix it.\n[END COUNTERSIGN MESSAGE]")
        );
        pane.working().await;
        let taken = coder.tool("fleet_reply", json!({ "content": "Fixed." })).await;
        assert_eq!(came_to(&taken), ("accepted", ""));
    };
    let (reply, ()) =
        tokio::join!(boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Fix it." })), member);
    assert_eq!((came_to(&reply), said(&reply, "content")), (("reply", ""), "Fixed."));
    assert!(reply.text.contains("fleet_ack") && reply.text.contains(said(&reply, "msgId")), "{}", reply.text);
    pane.idle().await;
    let kinds: Vec<String> = stage.told().await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["ticket.queued", "ticket.sent", "ticket.picked_up", "ticket.done"]);
}

#[tokio::test]
async fn flow_1_2_a_question_is_answered_by_its_turn_and_the_turn_goes_on() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let asking = async {
        stage.typed().await;
        pane.working().await;
        coder.tool("fleet_ask", json!({ "question": "Which of the two?" })).await
    };
    let leading = async {
        let question = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "Mend one." })).await;
        assert_eq!((came_to(&question), said(&question, "content")), (("question", ""), "Which of the two?"));
        assert!(question.text.contains("55 seconds"), "{}", question.text);
        let turn = said(&question, "turnId");
        let done = boss.tool("fleet_send", json!({ "turnId": turn, "content": "The first." })).await;
        assert_eq!(said(&question, "ticket"), said(&done, "ticket"), "one ticket, one turn");
        done
    };
    let replying = async {
        let answer = asking.await;
        assert_eq!((came_to(&answer), said(&answer, "content")), (("reply", ""), "The first."));
        coder.tool("fleet_reply", json!({ "content": "The first is mended." })).await
    };
    let (done, _) = tokio::join!(leading, replying);
    assert_eq!((came_to(&done), said(&done, "content")), (("reply", ""), "The first is mended."));
    stage.no_order().await;
}

#[tokio::test]
async fn flow_1_3_a_ticket_is_polled_as_often_as_one_likes_and_put_away() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "A long task.", "wait": false })).await;
    assert_eq!(came_to(&sent), ("accepted", ""));
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("queued", "on_its_way"));
    stage.typed().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("pending", "not_picked_up_yet"));
    pane.working().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("pending", "working"));
    for _ in 0..2 {
        let again = coder.tool("fleet_reply", json!({ "content": "All of it is done." })).await;
        assert_eq!(came_to(&again), ("accepted", ""), "the same reply again is no fault");
    }
    let first = boss.tool("fleet_poll", ticket(&sent)).await;
    for _ in 0..3 {
        let again = boss.tool("fleet_poll", ticket(&sent)).await;
        assert_eq!((came_to(&again), &again.data), (("reply", ""), &first.data));
    }
    let away = json!({ "target": said(&first, "target"), "msgId": said(&first, "msgId") });
    for _ in 0..2 {
        assert_eq!(came_to(&boss.tool("fleet_ack", away.clone()).await), ("accepted", ""));
    }
    let over = boss.tool("fleet_poll", ticket(&sent)).await;
    assert_eq!(came_to(&over), ("reply", ""));
    assert!(over.text.contains("put away already"), "{}", over.text);
    let other = coder.tool("fleet_reply", json!({ "content": "And more." })).await;
    assert_eq!((other.is_error, other.code()), (true, "no_open_ticket"));
    let acked = stage.told().await.into_iter().filter(|(kind, _)| kind == "ticket.acked").count();
    assert_eq!(acked, 1);
}

#[tokio::test]
async fn nothing_that_agents_write_is_in_the_journal() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Write about walruses.")).await;
    stage.typed().await;
    pane.working().await;
    let asked = async { coder.tool("fleet_ask", json!({ "question": "Grey walruses?" })).await };
    let answered = async {
        let question = loop {
            let told = boss.tool("fleet_poll", ticket(&sent)).await;
            if told.data["outcome"] == "question" {
                break told;
            }
        };
        let answer = json!({ "turnId": said(&question, "turnId"), "content": "Any walruses.", "wait": 0 });
        assert_eq!(came_to(&boss.tool("fleet_send", answer).await), ("accepted", ""));
    };
    tokio::join!(asked, answered);
    coder.tool("fleet_reply", json!({ "content": "Walruses everywhere." })).await;
    let rows = stage.told().await;
    let kinds: Vec<&str> = rows.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["ticket.queued", "ticket.sent", "ticket.picked_up", "ticket.question", "ticket.answered", "ticket.done"]
    );
    for (kind, payload) in rows {
        assert_eq!((&payload["from"], &payload["ticket"]), (&json!("boss"), &sent.data["ticket"]), "{kind}");
    }
    let acted = stage.app.acted().await;
    assert_eq!((acted.len(), &acted[0]["trigger"], &acted[0]["outcome"]), (1, &json!("message"), &json!("sent")));
    let mut conn = crate::support::cluster::connect(&stage.app.database).await;
    let sql = "select count(*) from events where payload::text ilike '%walrus%'";
    assert_eq!(sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.unwrap(), 0);
}
