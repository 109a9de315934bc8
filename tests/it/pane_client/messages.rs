//! A lead's messages through the real client: typed in one piece into an agent that rests, one a turn, and read at its end.

use serde_json::{Value, json};

use super::desk::Desk;
use crate::support::client::Client;
use crate::support::cluster;

const SCRIPT: &str = r#"{"idle":true}
{"work_ms":4000}
{"say":"The loop stopped one early. It is mended."}
{"idle":true}
{"work_ms":4000}
{"say":"All tests pass."}
{"idle":true}
"#;

/// An agent of the desk's project, which has called once.
async fn agent(desk: &Desk, wish: Value) -> Client {
    let issued = desk.app.machine().post("/api/v1/agents", &wish).await.body(201);
    let agent = desk.app.anonymous().with_token(issued["token"].as_str().unwrap());
    assert!(!agent.tool("fleet_whoami", &json!({})).await.is_error);
    agent
}

#[tokio::test]
async fn messages_are_typed_whole_one_a_turn_and_the_end_of_each_turn_is_read() {
    let desk = Desk::open(SCRIPT).await;
    let lane = json!({ "name": "bridge", "project": "real", "worktree": "/srv/bridge" });
    desk.app.machine().post("/api/v1/lanes", &lane).await.assert_status(201);
    let boss = agent(&desk, json!({ "name": "boss", "lane": "bridge", "lead": true })).await;
    let _hand = agent(&desk, json!({ "name": "hand", "lane": "desk" })).await;
    let session = desk
        .until("the session", async || {
            let listed = boss.tool("fleet_list", &json!({})).await.data;
            listed["members"][0]["sessionId"].as_str().map(str::to_owned)
        })
        .await;
    let mut tickets = Vec::new();
    for content in ["Find out why the last line is lost.\nThen mend it.", "Run the tests."] {
        let wish = json!({ "sessionId": session, "content": content, "wait": 0 });
        tickets.push(boss.tool("fleet_send", &wish).await.data["ticket"].clone());
    }
    for (ticket, said) in tickets.iter().zip(["The loop stopped one early. It is mended.", "All tests pass."]) {
        let done = desk
            .until("the end of a turn", async || {
                let told = boss.tool("fleet_poll", &json!({ "ticket": ticket })).await.data;
                (!["queued", "pending"].contains(&told["outcome"].as_str().unwrap())).then_some(told)
            })
            .await;
        assert_eq!((&done["outcome"], &done["reason"]), (&json!("turn_done"), &Value::Null), "{done}");
        let content = done["content"].as_str().unwrap();
        assert!(content.contains("A hint") && content.contains(said), "{content}");
        assert!(!content.contains("COUNTERSIGN"), "its own brief is no part of it: {content}");
    }
    let notes = desk.pane.notes();
    let lines: Vec<_> = notes.iter().filter_map(|note| note["typed"].as_str()).collect();
    assert_eq!(lines.len(), 2, "{notes:?}");
    for ((line, ticket), content) in lines.iter().zip(&tickets).zip(["lost.\nThen mend it.", "\nRun the tests."]) {
        let opening = format!("[COUNTERSIGN MESSAGE id={} from=boss]\n", ticket.as_str().unwrap());
        assert!(line.starts_with(&opening) && line.contains(content), "{line}");
        assert!(line.contains("\n[END COUNTERSIGN MESSAGE]\n"), "{line}");
    }
}

#[tokio::test]
async fn an_agent_that_took_anothers_place_is_not_typed_what_was_meant_for_that() {
    let desk = Desk::open("{\"idle\":true}\n").await;
    let lane = json!({ "name": "bridge", "project": "real", "worktree": "/srv/bridge" });
    desk.app.machine().post("/api/v1/lanes", &lane).await.assert_status(201);
    let boss = agent(&desk, json!({ "name": "boss", "lane": "bridge", "lead": true })).await;
    let _hand = agent(&desk, json!({ "name": "hand", "lane": "desk" })).await;
    let rests = "select count(*) from panes where status = 'idle' and safe_to_type";
    desk.until("rest", async || (count(&desk, rests).await == 1).then_some(())).await;
    // Until its client tells who is there now, the server takes it for the one that was there before. The client tells every
    // ten seconds; when it does so too early, there is nothing for it to refuse.
    desk.until("an order for the one before", async || {
        let mut conn = cluster::connect(&desk.app.database).await;
        sqlx::query("update panes set session_id = 'before'").execute(&mut conn).await.unwrap();
        let wish = json!({ "sessionId": "before", "content": "Go on with what we said.", "wait": 0 });
        let sent = boss.tool("fleet_send", &wish).await;
        if sent.is_error {
            return None;
        }
        let ticket = json!({ "ticket": sent.data["ticket"] });
        let done = desk
            .until("the end of the message", async || {
                let told = boss.tool("fleet_poll", &ticket).await.data;
                (told["outcome"] == "failed").then_some(told)
            })
            .await;
        assert_eq!(done["reason"], "session_gone", "{done}");
        let taken = "select count(*) from orders where kind = 'message' and taken_at is not null";
        (count(&desk, taken).await > 0).then_some(())
    })
    .await;
    assert!(desk.pane.notes().iter().all(|note| note["typed"].is_null()), "{:?}", desk.pane.notes());
}

async fn count(desk: &Desk, sql: &'static str) -> i64 {
    let mut conn = cluster::connect(&desk.app.database).await;
    sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
}
