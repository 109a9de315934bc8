//! The edges of both sides: proxies, sizes, and the headers on every answer.

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use reqwest::Method;
use serde_json::{Value, json};

use super::stage::{ADMIN, PASSWORD, Stage};

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

#[tokio::test]
async fn whoever_is_refused_is_counted_and_on_the_socket_written_down() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let local = stage.app.local();
    let vera = local.with_password("vera", PASSWORD);
    local.post("/api/v1/projects", &json!({})).await.assert_problem(401, "unauthenticated");
    local.with_password(ADMIN, "wrong").delete("/api/v1/lanes/api").await.assert_problem(401, "wrong_credentials");
    vera.patch("/api/v1/settings", &json!({"agent_cap": 3})).await.assert_problem(403, "forbidden");
    local.get("/api/v1/lanes/nowhere").await.assert_problem(404, "not_found");
    local.send(local.request(Method::GET, "/api/v1/users").header("via", "x")).await.assert_problem(403, "proxied");
    let page = local.get("/api/v1/audit?kind=local.refused").await.body(200);
    let said = |row: &Value| (row["payload"]["code"].clone(), row["payload"]["route"].clone());
    let rows: Vec<(Value, Value)> = page["items"].as_array().unwrap().iter().map(said).collect();
    let expected = [
        (json!("proxied"), json!("/api/v1/users")),
        (json!("forbidden"), json!("/api/v1/settings")),
        (json!("wrong_credentials"), json!("/api/v1/lanes/{name}")),
        (json!("unauthenticated"), json!("/api/v1/projects")),
    ];
    assert_eq!(rows, expected, "newest first, each once");
    stage.app.anonymous().get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    let metrics = local.get("/metrics").await.text;
    for counted in ["{code=\"unauthenticated\"} 2", "{code=\"proxied\"} 1", "{code=\"not_found\"} 1"] {
        let line = format!("countersign_problems_total{counted}");
        assert!(metrics.contains(&line), "{line} is not in\n{metrics}");
    }
}

#[tokio::test]
async fn a_list_at_the_machine_is_as_strict_as_any_other() {
    let stage = Stage::new().await;
    for limit in ["500", "0"] {
        let answer = stage.app.local().get(&format!("/api/v1/audit?limit={limit}")).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], "limit");
    }
}

#[tokio::test]
async fn the_password_given_again_has_a_kind_of_its_own() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    ada.post("/api/v1/session/reauth", &json!({"password": PASSWORD})).await.assert_status(204);
    let kinds = stage.journal().await;
    let count = |kind: &str| kinds.iter().filter(|known| *known == kind).count();
    assert_eq!((count("session.opened"), count("session.reauthenticated")), (1, 1));
}
