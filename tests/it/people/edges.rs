//! The edges of both sides: proxies, sizes, and the headers on every answer.

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use reqwest::Method;
use serde_json::json;

use super::stage::{ADMIN, Stage};

#[tokio::test]
async fn the_local_socket_refuses_what_was_passed_on_and_writes_it_down() {
    let stage = Stage::new().await;
    let local = stage.app.local();
    let telltales = [
        ("origin", "http://localhost"),
        ("sec-fetch-site", "none"),
        ("forwarded", "for=192.0.2.1"),
        ("x-forwarded-for", "192.0.2.1"),
        ("x-forwarded-host", "a"),
        ("via", "1.1 proxy"),
        ("cf-ray", "1"),
        ("tailscale-user-login", "a"),
    ];
    for (name, value) in telltales {
        let request = local.request(Method::GET, "/api/v1/users").header(name, value);
        local.send(request).await.assert_problem(403, "proxied");
    }
    let refusals = stage.journal().await.iter().filter(|kind| *kind == "local.refused").count();
    assert_eq!(refusals, telltales.len());
}

#[tokio::test]
async fn every_answer_protects_and_every_problem_names_its_request() {
    let stage = Stage::new().await;
    let anyone = stage.app.anonymous();
    for path in ["/healthz", "/nowhere", "/api/v1/account", "/openapi.json"] {
        let answer = anyone.get(path).await;
        let policy = answer.header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        let fixed = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
        ];
        for (name, value) in fixed {
            assert_eq!(answer.header(name), value, "{path}: {name}");
        }
        assert_eq!(answer.header("strict-transport-security"), "", "plain http promises no https");
        let id = answer.header("x-request-id");
        assert_eq!(id.len(), 32);
        if answer.status >= 400 {
            assert_eq!(answer.json["request_id"], id);
        }
    }
}

#[tokio::test]
async fn too_much_is_refused_in_our_words() {
    let stage = Stage::new().await;
    let anyone = stage.app.anonymous();
    let big = json!({"username": "a".repeat(300 * 1024), "password": "b"});
    anyone.post("/api/v1/session", &big).await.assert_problem(413, "too_large");
    // Without a length the limit shows while reading.
    let piece = |_| Ok::<_, std::io::Error>(Frame::data(Bytes::from(vec![b'x'; 10 * 1024])));
    let pieces = StreamBody::new(futures_util::stream::iter((0..40).map(piece)));
    let request = anyone
        .request(Method::POST, "/api/v1/session")
        .header("content-type", "application/json")
        .body(reqwest::Body::wrap(pieces));
    anyone.send(request).await.assert_problem(413, "too_large");
    let unknown = json!({"username": "a", "password": "b", "admin": true});
    let answer = anyone.post("/api/v1/session", &unknown).await;
    answer.assert_problem(422, "unknown_field");
    assert_eq!(answer.json["field"], "admin");
    let request = anyone.request(Method::POST, "/api/v1/session").body("username=a");
    anyone.send(request).await.assert_problem(415, "unsupported_media");
    let request = anyone.request(Method::PUT, "/api/v1/session");
    anyone.send(request).await.assert_problem(405, "method_not_allowed");
}

#[tokio::test]
async fn a_stopping_server_says_so_and_finishes() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    ada.get("/readyz").await.assert_status(200);
    let state = stage.app.state.clone();
    stage.app.stop().await;
    assert!(state.stopping.is_cancelled() && state.db.is_closed());
}
