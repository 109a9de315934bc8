//! The caps: how long a call blocks, how long a question waits, how many messages do, how long they are.

use chrono::TimeDelta;
use serde_json::json;

use super::stage::{Stage, came_to, detached, said, ticket};

#[tokio::test]
async fn row_a_blocking_call_becomes_a_ticket_at_its_cap() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let typed = async {
        stage.typed().await;
        pane.working().await;
    };
    let wish = json!({ "sessionId": "s-api", "content": "Slow work.", "wait": 2 });
    let (pending, ()) = tokio::join!(boss.tool("fleet_send", wish), typed);
    assert_eq!(came_to(&pending), ("pending", "working"));
    assert!(pending.text.contains("fleet_poll") && pending.text.contains(said(&pending, "ticket")));
    for wait in [json!(46), json!(-1), json!("long")] {
        let refused = boss.tool("fleet_send", json!({ "sessionId": "s-api", "content": "x", "wait": wait })).await;
        assert_eq!((refused.code(), &refused.data["field"]), ("invalid", &json!("wait")));
    }
}

#[tokio::test]
async fn row_a_question_waits_55_seconds_and_nothing_extends_it() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Choose.")).await;
    stage.typed().await;
    pane.working().await;
    let asking = coder.tool("fleet_ask", json!({ "question": "Left or right?" }));
    let closing = async {
        let question = loop {
            let told = boss.tool("fleet_poll", ticket(&sent)).await;
            if told.data["outcome"] == "question" {
                break told;
            }
        };
        stage.app.advance(TimeDelta::seconds(35));
        let again = boss.tool("fleet_poll", ticket(&sent)).await;
        assert_eq!(said(&again, "turnId"), said(&question, "turnId"), "still open, still the same");
        stage.pass(21).await;
        let late = json!({ "turnId": said(&question, "turnId"), "content": "Left." });
        let late = boss.tool("fleet_send", late).await;
        assert_eq!((came_to(&late), said(&late, "ticket")), (("failed", "ask_closed"), said(&sent, "ticket")));
    };
    let (answer, ()) = tokio::join!(asking, closing);
    assert_eq!(came_to(&answer), ("no_answer", ""));
    assert!(answer.text.contains("Decide yourself"), "{}", answer.text);
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("pending", "working"));
}

#[tokio::test]
async fn a_question_asked_again_is_the_same_one_and_an_answer_given_again_too() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let tester = stage.session("tester").await;
    let sent = boss.tool("fleet_send", detached("s-api", "Choose.")).await;
    stage.typed().await;
    pane.working().await;
    let question = json!({ "question": "Left or right?" });
    let answering = async {
        let asked = loop {
            let told = boss.tool("fleet_poll", ticket(&sent)).await;
            if told.data["outcome"] == "question" {
                break told;
            }
        };
        let other = coder.tool("fleet_ask", json!({ "question": "Up or down?" })).await;
        assert_eq!((other.code(), &other.data["field"]), ("invalid", &json!("question")));
        let answer = |content: &str| json!({ "turnId": said(&asked, "turnId"), "content": content, "wait": 0 });
        for _ in 0..2 {
            assert_eq!(came_to(&boss.tool("fleet_send", answer("Left.")).await), ("accepted", ""));
        }
        assert_eq!(came_to(&boss.tool("fleet_send", answer("Right.")).await), ("failed", "ask_closed"));
    };
    // The second call is another client's of the same session: the first may have been cut off.
    let (one, two, ()) =
        tokio::join!(coder.tool("fleet_ask", question.clone()), tester.tool("fleet_ask", question.clone()), answering);
    for told in [&one, &two, &coder.tool("fleet_ask", question).await] {
        assert_eq!((came_to(told), said(told, "content")), (("reply", ""), "Left."));
        assert_eq!(said(told, "turnId"), said(&one, "turnId"));
    }
}

#[tokio::test]
async fn row_the_ninth_message_to_a_session_finds_the_queue_full() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    pane.working().await;
    for n in 0..8 {
        assert_eq!(came_to(&boss.tool("fleet_send", detached("s-api", &format!("{n}"))).await), ("accepted", ""));
    }
    let full = boss.tool("fleet_send", detached("s-api", "One more.")).await;
    assert_eq!((came_to(&full), &full.data["ticket"]), (("failed", "queue_full"), &json!(null)));
    let web = stage.pane("web.1", "web", "s-web");
    web.working().await;
    assert_eq!(came_to(&boss.tool("fleet_send", detached("s-web", "Elsewhere.")).await), ("accepted", ""));
}

#[tokio::test]
async fn what_is_said_has_its_bounds() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    for content in [" \n", "\u{200b}", &"x".repeat(8 * 1024 + 1)] {
        for (agent, tool, field, args) in [
            (&boss, "fleet_send", "content", json!({ "sessionId": "s-api", "content": content })),
            (&coder, "fleet_reply", "content", json!({ "content": content })),
            (&coder, "fleet_ask", "question", json!({ "question": content })),
        ] {
            let refused = agent.tool(tool, args).await;
            assert_eq!((refused.code(), &refused.data["field"]), ("invalid", &json!(field)), "{tool}");
        }
    }
    for args in
        [json!({ "content": "to whom?" }), json!({ "content": "x", "sessionId": "s-api", "turnId": uuid::Uuid::nil() })]
    {
        assert_eq!(boss.tool("fleet_send", args).await.code(), "invalid");
    }
}
