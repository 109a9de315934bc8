//! The door: whose bearer, by which name, from which page; and what is no message at all.

use chrono::{DateTime, Utc};
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HOST, ORIGIN};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cluster;
use crate::support::mcp::message;

fn list() -> Value {
    message("tools/list", &json!({}))
}

#[tokio::test]
async fn only_an_agents_token_is_let_in() {
    let app = TestApp::peopled().await;
    let pane = app.anonymous().with_token(&app.pane_secret("another", &["api"]).await);
    for caller in [app.anonymous(), app.who("ben"), app.who("ada"), pane, app.anonymous().with_token("csa_nonsense")] {
        let answer = caller.send(caller.mcp(&list())).await;
        answer.assert_problem(401, "unauthenticated");
        assert!(answer.header("www-authenticate").starts_with("Bearer"), "{}", answer.header("www-authenticate"));
    }
    // Nobody is sent to the pages' door, whatever they would like to read.
    let bare = app.anonymous().request(Method::POST, "/mcp").header(ACCEPT, "*/*");
    app.anonymous().send(bare.body("a=b")).await.assert_problem(401, "unauthenticated");
    app.who("coder").rpc("tools/list", &json!({})).await.assert_status(200);
    // A token that is taken back is read in the database at once, on every server.
    let other = TestApp::start_on(&app.database).await;
    other.who("coder").rpc("tools/list", &json!({})).await.assert_status(200);
    app.machine().post("/api/v1/agents/coder/revoke", &json!({})).await;
    for app in [&app, &other] {
        app.who("coder").rpc("tools/list", &json!({})).await.assert_problem(401, "unauthenticated");
    }
}

#[tokio::test]
async fn another_host_and_another_site_are_refused_with_any_token() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let answer = coder.send(coder.mcp(&list()).header(HOST, "evil.example")).await;
    answer.assert_problem(421, "wrong_host");
    for origin in ["https://evil.example", "null", "http://127.0.0.1"] {
        coder.send(coder.mcp(&list()).header(ORIGIN, origin)).await.assert_problem(403, "cross_site");
    }
    coder.send(coder.mcp(&list()).header(ORIGIN, &app.url)).await.assert_status(200);
    let port = app.url.rsplit(':').next().unwrap();
    coder.send(coder.mcp(&list()).header(HOST, format!("localhost:{port}"))).await.assert_status(200);
}

#[tokio::test]
async fn what_is_no_message_is_refused_as_everywhere() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let both = "application/json, text/event-stream";
    let send = async |accept: &str, kind: &str, body: String| {
        let request = coder.request(Method::POST, "/mcp").header(ACCEPT, accept).header(CONTENT_TYPE, kind);
        coder.send(request.body(body)).await
    };
    send(both, "text/plain", list().to_string()).await.assert_problem(415, "unsupported_media");
    send("application/json", "application/json", list().to_string()).await.assert_problem(415, "unsupported_media");
    for body in ["{", "[]", "7", "{}", r#"{"jsonrpc":"2.0"}"#, r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#] {
        let answer = send(both, "application/json", body.to_owned()).await;
        assert!(answer.status == 400 || answer.fault() < 0, "{body}: {}", answer.text);
    }
    let huge = message("tools/list", &json!({ "cursor": "x".repeat(256 * 1024) })).to_string();
    send(both, "application/json", huge).await.assert_problem(413, "too_large");
    let answer = coder.rpc("approvals/decide", &json!({})).await;
    assert_eq!(answer.fault(), -32601);
}

#[tokio::test]
async fn the_first_call_over_mcp_is_noted_once() {
    let app = TestApp::peopled().await;
    let mounted = async || -> Option<DateTime<Utc>> {
        let mut conn = cluster::connect(&app.database).await;
        let row = sqlx::query_scalar("select mounted_at from agents where name = 'coder'").fetch_one(&mut conn).await;
        row.unwrap()
    };
    app.who("coder").get("/api/v1/proposals").await.assert_status(200);
    assert_eq!(mounted().await, None);
    app.who("coder").rpc("tools/list", &json!({})).await.assert_status(200);
    let first = mounted().await;
    assert!(first.is_some());
    app.who("coder").rpc("tools/list", &json!({})).await.assert_status(200);
    assert_eq!(mounted().await, first);
}
