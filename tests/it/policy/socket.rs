//! A process of an agent at the local socket: the right user, and still no power over the policy, and all of it on record.

use reqwest::Method;
use serde_json::{Value, json};

use super::stage::POLICY;
use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;

#[tokio::test]
async fn an_agents_process_at_the_socket_changes_nothing_and_is_written_down() {
    let app = TestApp::peopled().await;
    let change = json!({ "version": 1, "enabled": true });
    let local = app.local();
    let refused = async |request: reqwest::RequestBuilder| local.send(request.json(&change)).await;
    // It may read, as every process of that user may.
    local.get(POLICY).await.assert_status(200);
    // Without a password; with a guess; with its own token; as somebody who is no admin.
    refused(local.request(Method::PATCH, POLICY)).await.assert_problem(401, "unauthenticated");
    let guess = local.with_password("ada", "hunter2 hunter2");
    refused(guess.request(Method::PATCH, POLICY)).await.assert_problem(401, "wrong_credentials");
    let token = app.who("coder").bearer().unwrap();
    let as_agent = local.request(Method::PATCH, POLICY).header("authorization", token);
    refused(as_agent).await.assert_problem(401, "unauthenticated");
    let approver = local.with_password("ben", PASSWORD);
    refused(approver.request(Method::PATCH, POLICY)).await.assert_problem(403, "forbidden");
    // With the admin's own password, passed on by a browser or a tunnel.
    let admin = app.machine();
    for (name, value) in [
        ("origin", "http://127.0.0.1:7440"),
        ("forwarded", "for=192.0.2.1"),
        ("x-forwarded-for", "192.0.2.1"),
        ("via", "1.1 t"),
    ] {
        let request = admin.request(Method::PATCH, POLICY).header(name, value);
        refused(request).await.assert_problem(403, "proxied");
    }
    // The rest of what changes what is answered.
    for (method, path) in [
        (Method::POST, "/api/v1/supervision/import"),
        (Method::POST, "/api/v1/supervision/rollback"),
        (Method::POST, "/api/v1/rules"),
        (Method::DELETE, "/api/v1/pause"),
        (Method::POST, "/api/v1/suggestions/00000000-0000-0000-0000-000000000000/accept"),
    ] {
        refused(local.request(method, path)).await.assert_problem(401, "unauthenticated");
    }
    assert_eq!(app.policy().await["version"], 1);
    let journal = app.local().get("/api/v1/audit?kind=local.refused&limit=200").await.body(200);
    let rows = journal["items"].as_array().unwrap();
    assert_eq!(rows.len(), 13, "each of them: {rows:?}");
    let by_process = |row: &Value| row["actor"].as_str().unwrap().starts_with("local:");
    assert!(rows.iter().all(by_process));
    assert_eq!(rows.iter().filter(|row| row["payload"]["route"] == POLICY).count(), 8);
}
