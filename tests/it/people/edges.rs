//! The edges of both sides: hosts, sites, proxies, sizes, and the headers on every answer.

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use reqwest::Method;
use serde_json::json;

use super::stage::{ADMIN, Stage};

#[tokio::test]
async fn only_its_own_name_is_answered_and_health_checks_come_by_any() {
    let stage = Stage::new().await;
    let anyone = stage.app.anonymous();
    let ada = stage.sign_in(ADMIN).await;
    for path in ["/api/v1/account", "/", "/setup", "/openapi.json"] {
        let request = ada.request(Method::GET, path).header("host", "evil.test");
        ada.send(request).await.assert_status(421);
    }
    for path in ["/healthz", "/readyz"] {
        let request = anyone.request(Method::GET, path).header("host", "evil.test");
        anyone.send(request).await.assert_status(200);
    }
    let request = ada.request(Method::GET, "/api/v1/account").header("host", "evil.test");
    ada.send(request).await.assert_problem(421, "wrong_host");
    let agent = anyone.with_token(&stage.agent("api").await);
    let request = agent.request(Method::GET, "/api/v1/proposals").header("host", "evil.test");
    agent.send(request).await.assert_problem(421, "wrong_host");
    let port = stage.app.url.rsplit(':').next().unwrap().to_owned();
    let by_name = format!("localhost:{port}");
    let request = agent.request(Method::GET, "/api/v1/proposals").header("host", &by_name);
    agent.send(request).await.assert_status(200);
    let request = ada.request(Method::GET, "/api/v1/account").header("host", &by_name);
    ada.send(request).await.assert_problem(421, "wrong_host");
}

#[tokio::test]
async fn a_cookie_counts_for_changes_only_from_our_own_pages() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    let own = stage.app.url.as_str();
    let table: &[(&[(&str, &str)], u16)] = &[
        (&[("sec-fetch-site", "cross-site")], 403),
        (&[("sec-fetch-site", "same-site")], 403),
        (&[("sec-fetch-site", "none")], 403),
        (&[("origin", "https://evil.test")], 403),
        (&[("origin", "null")], 403),
        (&[], 403),
        (&[("origin", own)], 204),
        (&[("sec-fetch-site", "same-origin")], 204),
        (&[("sec-fetch-site", "same-origin"), ("origin", own)], 204),
    ];
    let bare = stage.app.anonymous();
    for (headers, status) in table {
        let mut request = bare.request(Method::PATCH, "/api/v1/account").header("cookie", ada.cookie().unwrap());
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        let answer = bare.send(request.json(&json!({"time_zone": "Europe/Vienna"}))).await;
        assert_eq!(answer.status, *status, "{headers:?} {}", answer.text);
        if *status == 403 {
            answer.assert_problem(403, "cross_site");
        }
    }
    assert_eq!(ada.get("/api/v1/account").await.body(200)["time_zone"], "Europe/Vienna");
}

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
