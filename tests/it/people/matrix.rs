//! Every public route by every method for every kind of caller: who is let in is written here, and nowhere else is anybody.

use countersign::http::PUBLIC_PATHS;
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::proposals::change;

/// Nobody, agents of this lane and of another, and people: a viewer, an auditor, approvers of all and of another lane, an admin.
const CALLERS: &[&str] = &["nobody", "coder", "painter", "vic", "tom", "ben", "lin", "ada"];

/// Method, path, and who gets past the door (in the order above): `y` is let in, `-` is not.
const DOORS: &[(&str, &str, &str)] = &[
    ("GET", "/healthz", "yyyyyyyy"),
    ("GET", "/readyz", "yyyyyyyy"),
    ("GET", "/openapi.json", "yyyyyyyy"),
    ("GET", "/login", "yyyyyyyy"),
    ("POST", "/login", "--------"),
    ("GET", "/static/{version}/{name}", "--------"),
    ("GET", "/setup", "--------"),
    ("POST", "/setup", "--------"),
    ("GET", "/", "---yyyyy"),
    ("GET", "/p/{id}", "---yyy-y"),
    ("GET", "/p/{id}/decide", "yyyyyyyy"),
    ("POST", "/p/{id}/decide", "-----y-y"),
    ("GET", "/p/{id}/reauth", "yyyyyyyy"),
    ("POST", "/p/{id}/reauth", "--------"),
    ("GET", "/p/{id}/edit", "---yyy-y"),
    ("POST", "/p/{id}/edit", "---yyy-y"),
    ("GET", "/history", "---yyyyy"),
    ("GET", "/lanes", "---yyyyy"),
    ("GET", "/lanes/{name}", "---yyy-y"),
    ("GET", "/audit", "----y--y"),
    ("GET", "/audit/export", "----y--y"),
    ("GET", "/account", "---yyyyy"),
    ("POST", "/account/zone", "---yyyyy"),
    ("POST", "/account/password", "---yyyyy"),
    ("POST", "/account/sessions/{id}/revoke", "--------"),
    ("POST", "/logout", "--------"),
    ("POST", "/api/v1/session", "yyyyyyyy"),
    ("DELETE", "/api/v1/session", "---yyyyy"),
    ("POST", "/api/v1/session/reauth", "---yyyyy"),
    ("GET", "/api/v1/account", "---yyyyy"),
    ("PATCH", "/api/v1/account", "---yyyyy"),
    ("POST", "/api/v1/account/password", "---yyyyy"),
    ("GET", "/api/v1/account/sessions", "---yyyyy"),
    ("DELETE", "/api/v1/account/sessions/{id}", "--------"),
    ("GET", "/api/v1/proposals", "-yy-----"),
    ("POST", "/api/v1/proposals", "-yy-----"),
    ("GET", "/api/v1/proposals/{id}", "-y------"),
    ("POST", "/api/v1/proposals/{id}/ack", "-y------"),
    ("POST", "/api/v1/proposals/{id}/withdraw", "-y------"),
    ("POST", "/api/v1/proposals/{id}/decision", "-----y-y"),
    ("GET", "/api/v1/reviews", "---yyyyy"),
    ("GET", "/api/v1/reviews/{id}", "---yyy-y"),
    ("GET", "/api/v1/events", "-yyyyyyy"),
];

/// These do what they say; the next row starts afresh.
const LASTING: &[(&str, &str)] = &[
    ("POST", "/logout"),
    ("DELETE", "/api/v1/session"),
    ("POST", "/api/v1/proposals/{id}/ack"),
    ("POST", "/api/v1/proposals/{id}/withdraw"),
];

/// What the route reads, so that it is the door that answers and not the reader; none of it is a decision that counts.
fn body(request: RequestBuilder, path: &str) -> RequestBuilder {
    let digest = "0".repeat(64);
    if !path.starts_with("/api/") && path != "/setup" {
        let form = format!(
            "outcome=rejected&verdict=rejected&digest={digest}&note=no&body=b&username=a&password=b&time_zone=UTC"
        );
        return request.header("content-type", "application/x-www-form-urlencoded").body(form);
    }
    request.json(&match path {
        "/setup" => json!({"code": "c", "name": "a", "password": "b"}),
        "/api/v1/proposals/{id}/decision" => json!({"outcome": "rejected", "digest": digest, "note": "no"}),
        "/api/v1/proposals/{id}/withdraw" => json!({"reason": "moved on"}),
        _ => json!({"no such field": 1}),
    })
}

/// Shut doors: 401, 403, 404, 429 for a guess too many, and the way to the sign-in page (where signing out leads, too).
fn let_in(status: u16, location: &str) -> bool {
    !matches!(status, 401 | 403 | 404 | 429) && location != "/login" && !location.starts_with("/login?")
}

fn caller(app: &TestApp, name: &str) -> Client {
    if name == "nobody" { app.anonymous() } else { app.who(name) }
}

#[test]
fn every_public_path_has_its_doors() {
    for path in PUBLIC_PATHS {
        assert!(DOORS.iter().any(|(_, door, _)| door == path), "{path} says nowhere who may");
    }
    for (method, path, doors) in DOORS {
        assert!(PUBLIC_PATHS.contains(path), "{path} is no route");
        assert_eq!(doors.len(), CALLERS.len(), "{method} {path}");
    }
}

#[tokio::test]
async fn everybody_gets_in_where_they_may_and_nowhere_else() {
    let mut app = TestApp::peopled().await;
    let mut proposal = app.who("coder").propose(&change("everybody's")).await;
    let mut wrong = Vec::new();
    for (method, path, doors) in DOORS {
        let id = proposal["id"].as_str().unwrap();
        let filled = path
            .replace("{id}", id)
            .replace("{name}", "api")
            .replace("{version}", "0")
            .replace("/export", "/export?format=csv");
        for (name, expected) in CALLERS.iter().zip(doors.chars()) {
            let who = caller(&app, name);
            let method: Method = method.parse().unwrap();
            let mut request = who.request(method.clone(), &filled);
            if method != Method::GET {
                request = body(request, path);
            }
            let answer = who.send(request).await;
            let got = if let_in(answer.status, answer.header("location")) { 'y' } else { '-' };
            if got != expected {
                wrong.push(format!("{method} {path} as {name}: {} {}", answer.status, answer.code()));
            }
        }
        if LASTING.contains(&(method, path)) {
            app.stop().await;
            app = TestApp::peopled().await;
            proposal = app.who("coder").propose(&change("everybody's")).await;
        }
    }
    assert!(wrong.is_empty(), "{} doors\n{}", wrong.len(), wrong.join("\n"));
}
