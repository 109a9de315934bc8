//! Route by role by lane: one table says what every caller gets from every public route.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{fill, public_routes};
use crate::support::app::TestApp;
use crate::support::client::Answer;
use crate::support::proposals::change;

/// Nobody; the agent that asked, an agent of another lane; a viewer, an auditor, an approver of another lane, an
/// approver, an admin.
const CALLERS: [&str; 8] = ["", "coder", "painter", "vic", "tom", "lin", "ben", "ada"];

/// Routes that end the caller's session: what comes after them is asked of another copy.
const ENDING: [&str; 2] = ["/logout", "/api/v1/session"];

/// Method, path, and the status of each caller. A bearer is not what pages and people's routes take, nor a cookie what
/// agents' routes take.
const TABLE: &[(&str, &str, [u16; 8])] = &[
    ("GET", "/healthz", [200, 200, 200, 200, 200, 200, 200, 200]),
    ("GET", "/readyz", [200, 200, 200, 200, 200, 200, 200, 200]),
    ("GET", "/openapi.json", [200, 200, 200, 200, 200, 200, 200, 200]),
    ("GET", "/static/{version}/{name}", [404, 404, 404, 404, 404, 404, 404, 404]),
    // Getting in and out. Once there is somebody, set-up is not there.
    ("GET", "/setup", [404, 404, 404, 404, 404, 404, 404, 404]),
    ("POST", "/setup", [404, 404, 404, 404, 404, 404, 404, 404]),
    ("GET", "/login", [200, 200, 200, 303, 303, 303, 303, 303]),
    ("POST", "/login", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("POST", "/logout", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/api/v1/session", [422, 422, 422, 422, 422, 422, 422, 422]),
    ("DELETE", "/api/v1/session", [401, 401, 401, 204, 204, 204, 204, 204]),
    ("POST", "/api/v1/session/reauth", [401, 401, 401, 422, 422, 422, 422, 422]),
    // One's own account.
    ("GET", "/account", [303, 303, 303, 200, 200, 200, 200, 200]),
    ("POST", "/account/password", [303, 303, 303, 422, 422, 422, 422, 422]),
    ("POST", "/account/zone", [303, 303, 303, 422, 422, 422, 422, 422]),
    ("POST", "/account/sessions/{id}/revoke", [303, 303, 303, 404, 404, 404, 404, 404]),
    ("GET", "/api/v1/account", [401, 401, 401, 200, 200, 200, 200, 200]),
    ("PATCH", "/api/v1/account", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("POST", "/api/v1/account/password", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("GET", "/api/v1/account/sessions", [401, 401, 401, 200, 200, 200, 200, 200]),
    ("DELETE", "/api/v1/account/sessions/{id}", [401, 401, 401, 404, 404, 404, 404, 404]),
    // For agents.
    ("GET", "/api/v1/proposals", [401, 200, 200, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/proposals", [401, 422, 422, 401, 401, 401, 401, 401]),
    ("GET", "/api/v1/proposals/{id}", [401, 200, 404, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/proposals/{id}/ack", [401, 409, 404, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/proposals/{id}/withdraw", [401, 200, 404, 401, 401, 401, 401, 401]),
    // For agents' own clients: `mcp::doors` has what is let in.
    ("POST", "/mcp", [401, 415, 415, 401, 401, 401, 401, 401]),
    // For people, as programs.
    ("GET", "/api/v1/reviews", [401, 401, 401, 200, 200, 200, 200, 200]),
    ("GET", "/api/v1/reviews/{id}", [401, 401, 401, 200, 200, 404, 200, 200]),
    ("POST", "/api/v1/proposals/{id}/decision", [401, 401, 401, 403, 403, 404, 200, 200]),
    ("GET", "/api/v1/attentions", [401, 401, 401, 200, 200, 200, 200, 200]),
    // What supervision does, for people and agents. What changes it is not there: `people::routers` asks for that.
    ("GET", "/api/v1/supervision", [401, 200, 200, 200, 200, 200, 200, 200]),
    ("GET", "/api/v1/supervision/audit", [401, 200, 200, 200, 200, 200, 200, 200]),
    ("POST", "/api/v1/supervision/nudge", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("GET", "/api/v1/supervision/status", [401, 200, 200, 200, 200, 200, 200, 200]),
    ("POST", "/api/v1/lanes/{lane}/mail", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("POST", "/api/v1/suggestions", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("POST", "/api/v1/pause", [401, 401, 401, 422, 422, 422, 422, 422]),
    ("GET", "/pause", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/pause", [303, 303, 303, 422, 422, 422, 422, 422]),
    // For both; here nobody asks for a WebSocket, and no browser says from which page.
    ("GET", "/api/v1/events", [401, 400, 400, 403, 403, 403, 403, 403]),
    // For pane clients, with their short-lived token alone: `dialogs::tokens` has who is let in.
    ("POST", "/api/v1/pane/token", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("PUT", "/api/v1/panes/{key}", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/dialogs", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("GET", "/api/v1/dialogs/{id}", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/dialogs/{id}/close", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("GET", "/api/v1/orders", [401, 401, 401, 401, 401, 401, 401, 401]),
    ("POST", "/api/v1/orders/{id}/outcome", [401, 401, 401, 401, 401, 401, 401, 401]),
    // For people, as pages. An empty form decides nothing.
    ("GET", "/", [303, 303, 303, 200, 200, 200, 200, 200]),
    ("GET", "/history", [303, 303, 303, 200, 200, 200, 200, 200]),
    ("GET", "/lanes", [303, 303, 303, 200, 200, 200, 200, 200]),
    ("GET", "/lanes/{name}", [303, 303, 303, 200, 200, 404, 200, 200]),
    ("POST", "/lanes/{name}/needs/{id}", [303, 303, 303, 404, 404, 404, 404, 404]),
    ("GET", "/lanes/{name}/nudge", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/lanes/{name}/nudge", [303, 303, 303, 403, 403, 404, 422, 422]),
    ("GET", "/lanes/{name}/mail", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/lanes/{name}/mail", [303, 303, 303, 422, 422, 404, 422, 422]),
    ("GET", "/lanes/{name}/suggest", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/lanes/{name}/suggest", [303, 303, 303, 422, 422, 404, 422, 422]),
    ("GET", "/audit", [303, 303, 303, 403, 200, 403, 403, 200]),
    ("GET", "/audit/export", [303, 303, 303, 403, 200, 403, 403, 200]),
    ("GET", "/p/{id}", [303, 303, 303, 200, 200, 404, 200, 200]),
    ("GET", "/p/{id}/decide", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/p/{id}/decide", [303, 303, 303, 409, 409, 404, 409, 409]),
    ("GET", "/p/{id}/reauth", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/p/{id}/reauth", [303, 303, 303, 403, 403, 404, 403, 403]),
    ("GET", "/p/{id}/suggest", [303, 303, 303, 303, 303, 303, 303, 303]),
    ("POST", "/p/{id}/suggest", [303, 303, 303, 422, 422, 404, 422, 422]),
    ("GET", "/p/{id}/edit", [303, 303, 303, 303, 303, 404, 200, 200]),
    ("POST", "/p/{id}/edit", [303, 303, 303, 200, 200, 404, 200, 200]),
];

#[tokio::test]
async fn every_caller_gets_what_is_declared_from_every_route() {
    let mut app = TestApp::peopled().await;
    let declared: BTreeSet<_> = TABLE.iter().map(|(method, path, _)| ((*method).to_owned(), *path)).collect();
    assert_eq!(declared, public_routes(&app).await, "every route is declared, and nothing else");
    for (method, path, expected) in TABLE {
        for (name, status) in CALLERS.into_iter().zip(expected) {
            let answer = call(&app, name, method, path).await;
            assert_eq!(answer.status, *status, "{method} {path} by {name:?}: {}", answer.text);
            if answer.status >= 400 && path.starts_with("/api/") {
                assert_eq!(answer.header("content-type"), "application/problem+json", "{method} {path} by {name:?}");
            }
        }
        if ENDING.contains(path) && *method != "GET" {
            app = TestApp::peopled().await;
        }
    }
}

async fn call(app: &TestApp, name: &str, method: &str, path: &str) -> Answer {
    let caller = if name.is_empty() { app.anonymous() } else { app.who(name) };
    let asked = app.who("coder").propose(&change(&format!("{method} {path} by {name}"))).await;
    let mut address = fill(path, asked["id"].as_str().unwrap());
    if path == "/audit/export" {
        address += "?format=csv";
    }
    let request = caller.request(method.parse().unwrap(), &address);
    let request = match body(path, &asked) {
        _ if method == "GET" => request,
        Some(body) => request.json(&body),
        // Names of their own, so that nobody's failures slow down the next.
        None => {
            let form = request.header("content-type", "application/x-www-form-urlencoded");
            form.body(format!("username=nobody-{name}&password=none"))
        }
    };
    let answer = caller.send(request).await;
    app.who("coder").withdraw(&asked).await;
    answer
}

/// What is sent: enough to be let in and to change nothing, but for the decision, which is real.
fn body(path: &str, asked: &Value) -> Option<Value> {
    if path.ends_with("/decision") {
        return Some(json!({ "outcome": "approved", "digest": asked["digest"] }));
    }
    path.starts_with("/api/").then(|| json!({}))
}
