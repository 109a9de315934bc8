//! Who may what: sessions come from tokens and panes, a member is no lead, and another project is not there.

use serde_json::{Value, json};

use super::stage::{Stage, came_to, detached, said, ticket};
use crate::support::cluster;

#[tokio::test]
async fn a_member_and_an_agent_without_a_pane_are_never_leads() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Mine.")).await;
    // carter has no pane at all: nothing maps to it, and nothing makes it more than it is.
    for member in [&coder, &stage.session("carter").await] {
        for (tool, args) in [
            ("fleet_send", detached("s-api", "Do as I say.")),
            ("fleet_send", json!({ "turnId": uuid::Uuid::nil(), "content": "Yes." })),
            ("fleet_poll", ticket(&sent)),
            ("fleet_ack", json!({ "target": "s-api", "msgId": uuid::Uuid::nil() })),
            ("fleet_profiles", json!({})),
        ] {
            let refused = member.tool(tool, args).await;
            assert_eq!((refused.is_error, refused.code()), (true, "forbidden"), "{tool}");
            assert_eq!(refused.text.matches("You are a member").count(), 1, "said, and said once: {}", refused.text);
        }
    }
}

#[tokio::test]
async fn another_project_and_other_leads_tickets_are_not_there() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    stage.pane("barn.1", "barn", "s-barn").idle().await;
    let refused = boss.tool("fleet_send", detached("s-barn", "Come over.")).await;
    let never = boss.tool("fleet_send", detached("s-never", "Who are you?")).await;
    assert_eq!((refused.code(), &refused.data), ("not_found", &never.data), "not yours and never was look the same");
    let mut conn = cluster::connect(&stage.app.database).await;
    let sql = "select count(*) from events where kind = 'access.refused' and actor = 'agent:boss'";
    assert_eq!(sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.unwrap(), 1, "the journal knows better");
    let sent = boss.tool("fleet_send", detached("s-api", "Mine.")).await;
    stage.typed().await;
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "Yours." })).await;
    let reply = boss.tool("fleet_poll", ticket(&sent)).await;
    for other in ["chief", "farmer"] {
        let other = stage.session(other).await;
        assert_eq!(other.tool("fleet_poll", ticket(&sent)).await.code(), "not_found");
        let away = json!({ "target": "s-api", "msgId": said(&reply, "msgId") });
        assert_eq!(other.tool("fleet_ack", away).await.code(), "not_found");
    }
}

#[tokio::test]
async fn only_the_lead_that_was_asked_answers() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let chief = stage.session("chief").await;
    let sent = boss.tool("fleet_send", detached("s-api", "Choose.")).await;
    stage.typed().await;
    pane.working().await;
    let answering = async {
        let asked = loop {
            let told = boss.tool("fleet_poll", ticket(&sent)).await;
            if told.data["outcome"] == "question" {
                break told;
            }
        };
        let answer = json!({ "turnId": said(&asked, "turnId"), "content": "Left.", "wait": 0 });
        assert_eq!(chief.tool("fleet_send", answer.clone()).await.code(), "not_found");
        assert_eq!(came_to(&boss.tool("fleet_send", answer).await), ("accepted", ""));
    };
    let (told, ()) = tokio::join!(coder.tool("fleet_ask", json!({ "question": "Left?" })), answering);
    assert_eq!(said(&told, "content"), "Left.");
}

#[tokio::test]
async fn a_member_without_a_message_has_nobody_to_answer_or_to_ask() {
    let stage = Stage::new().await;
    let (_boss, coder, _pane) = stage.pair().await;
    let painter = stage.session("painter").await;
    for agent in [&coder, &painter] {
        for (tool, args) in [("fleet_reply", json!({ "content": "x" })), ("fleet_ask", json!({ "question": "x" }))] {
            let refused = agent.tool(tool, args).await;
            assert_eq!((refused.is_error, refused.code()), (true, "no_open_ticket"), "{tool}");
        }
    }
}

#[tokio::test]
async fn a_lane_with_two_sessions_needs_a_token_for_one_of_them() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    stage.pane("api.2", "api", "s-api-2").idle().await;
    for (tool, args) in [("fleet_reply", json!({ "content": "x" })), ("fleet_ask", json!({ "question": "x" }))] {
        let refused = coder.tool(tool, args).await;
        assert_eq!((refused.is_error, refused.code()), (true, "ambiguous_session"), "{tool}");
        assert!(refused.text.contains("api.1, api.2") && refused.text.contains("--pane"), "{}", refused.text);
    }
    let who = coder.tool("fleet_whoami", json!({})).await.data;
    assert_eq!(
        (&who["role"], &who["sessionId"], &who["reason"]),
        (&json!("member"), &json!(null), &json!("ambiguous_session"))
    );
    assert_eq!(coder.tool("fleet_list", json!({})).await.data["members"], json!([]));
    // Two panes that claim one session are nobody's to choose between.
    stage.pane("web.1", "web", "s-api").idle().await;
    let refused = boss.tool("fleet_send", detached("s-api", "Which of you?")).await;
    assert_eq!(refused.code(), "ambiguous_session");
}

#[tokio::test]
async fn everybody_learns_who_they_are_and_leads_who_is_there() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    stage.hq().working().await;
    stage.pane("hq.2", "hq", "s-chief").idle().await;
    stage.pane("web.1", "web", "s-web").status("blocked").await;
    stage.pane("barn.1", "barn", "s-barn").idle().await;
    let chief = stage.session("chief").await;
    let who = chief.tool("fleet_whoami", json!({})).await.data;
    assert_eq!(
        who,
        json!({ "agent": "chief", "role": "lead", "lane": "hq", "project": "shop", "profile": null, "sessionId": "s-chief" })
    );
    let members = chief.tool("fleet_list", json!({})).await.data["members"].clone();
    let row = |session: &str, lane: &str, status: &str, mounted: bool| {
        json!({ "sessionId": session, "lane": lane, "project": "shop", "profile": null, "agent_kind": "claude",
            "status": status, "mounted": mounted })
    };
    let mut you = row("s-chief", "hq", "idle", true);
    you["you"] = json!(true);
    assert_eq!(
        members,
        json!([
            row("s-api", "api", "idle", true),
            row("s-hq", "hq", "working", true),
            you,
            row("s-web", "web", "blocked", false)
        ])
    );
    let own = coder.tool("fleet_list", json!({})).await.data["members"].clone();
    assert_eq!(
        (own.as_array().unwrap().len(), &own[0]["sessionId"], &own[0]["you"]),
        (1, &json!("s-api"), &json!(true))
    );
    let profiles = boss.tool("fleet_profiles", json!({})).await.data;
    assert_eq!(profiles, json!({ "profiles": [{ "profile": null, "lanes": ["api", "hq", "web"] }] }));
    let farmer = stage.session("farmer").await;
    let profiles = farmer.tool("fleet_profiles", json!({})).await.data;
    assert_eq!(profiles, json!({ "profiles": [{ "profile": "slow", "lanes": ["barn"] }] }));
    let own = chief.tool("fleet_send", detached("s-chief", "Note to self.")).await;
    assert_eq!((own.code(), &own.data["field"]), ("invalid", &Value::from("sessionId")));
}
