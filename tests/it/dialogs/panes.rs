//! Panes: told when they change, unknown when nothing is heard of them.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::{Answer, Client};
use crate::support::cluster;
use crate::support::proposals::with;

fn pane(status: &str) -> Value {
    json!({ "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": status, "safe_to_type": true,
        "awaiting_input": false, "ended_turn": false, "limit": false, "external": false,
        "client": { "version": "0.1.0", "host": "desk" } })
}

async fn put(watcher: &Client, key: &str, pane: &Value) -> Answer {
    watcher.send(watcher.request(Method::PUT, &format!("/api/v1/panes/{key}")).json(pane)).await
}

async fn count(app: &TestApp) -> i64 {
    let mut conn = cluster::connect(&app.database).await;
    let sql = "select count(*) from events where kind = 'pane.status'";
    sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
}

#[tokio::test]
async fn a_pane_is_told_when_it_changes_and_only_then() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    for status in ["idle", "idle", "working", "working", "blocked", "idle"] {
        put(&watcher, "main.1", &pane(status)).await.assert_status(204);
    }
    for (status, safe) in [("idle", true), ("working", false), ("blocked", false), ("idle", true)] {
        let heard = phone.next_of("pane.status").await;
        assert_eq!((&heard["data"]["status"], &heard["lane"]), (&json!(status), &json!("api")));
        assert_eq!(heard["data"]["safe_to_type"], safe, "only an idle pane takes text");
    }
    assert_eq!(count(&app).await, 4);
    app.advance(TimeDelta::seconds(31));
    let heard = phone.next_of("pane.status").await;
    assert_eq!((&heard["data"]["status"], &heard["data"]["safe_to_type"]), (&json!("unknown"), &json!(false)));
    put(&watcher, "main.1", &pane("idle")).await.assert_status(204);
    assert_eq!(phone.next_of("pane.status").await["data"]["status"], "idle");
}

#[tokio::test]
async fn a_menu_that_no_rule_knows_is_journaled_once() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let unknown = "❯ 1. Engage\n  2. Retreat";
    for drift in [json!(null), json!(unknown), json!(unknown), json!(null), json!("another\nmenu")] {
        put(&watcher, "main.1", &with(pane("idle"), &json!({ "drift": drift }))).await.assert_status(204);
    }
    for rows in [2, 2] {
        let heard = phone.next_of("pane.drift").await;
        assert_eq!((&heard["data"]["rows"], &heard["data"]["agent_kind"]), (&json!(rows), &json!("claude")));
        assert!(!heard.to_string().contains("Engage"), "the screen's words are no part of the journal: {heard}");
    }
    let mut conn = cluster::connect(&app.database).await;
    let sql = "select count(*) from events where kind = 'pane.drift'";
    assert_eq!(sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.unwrap(), 2);
    assert_eq!(count(&app).await, 1, "how the pane stands did not change");
}

#[tokio::test]
async fn a_report_names_what_is_wrong_with_it() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let long = json!({ "turn_tail": { "text": "é".repeat(5_000), "clipped": true } });
    for (change, field) in [
        (json!({ "status": "bored" }), "status"),
        (json!({ "agent_kind": "" }), "agent_kind"),
        (long, "turn_tail.text"),
        (json!({ "client": { "version": "\u{1b}[2J", "host": "desk" } }), "client.version"),
    ] {
        let refused = put(&watcher, "main.1", &with(pane("idle"), &change)).await;
        refused.assert_problem(422, "invalid");
        assert_eq!(refused.json["field"], field);
    }
    put(&watcher, "main.1", &with(pane("idle"), &json!({ "colour": "red" })))
        .await
        .assert_problem(422, "unknown_field");
    put(&watcher, "no%20key", &pane("idle")).await.assert_problem(422, "invalid");
    put(&watcher, "main.1", &with(pane("idle"), &json!({ "lane": "nowhere" }))).await.assert_problem(404, "not_found");
    assert_eq!(count(&app).await, 0);
}
