//! Who is let in where pane clients are: a fresh token of this service, for a client that is still there, and nobody else.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::OUTSIDE;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::dialog;
use crate::support::proposals::with;

/// What a good token says, to be changed in one place.
async fn parts(app: &TestApp) -> (Value, Value) {
    let issued = app.who("watcher").post("/api/v1/pane/token", &json!({})).await.body(200);
    let text = issued["token"].as_str().unwrap().to_owned();
    let part =
        |n| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(text.split('.').nth(n).unwrap()).unwrap()).unwrap();
    (part(0), part(1))
}

/// A token with these parts, signed by a key.
fn signed(key: &SigningKey, header: &Value, claims: &Value) -> String {
    let mut built = Header::new(Algorithm::EdDSA);
    built.typ = header["typ"].as_str().map(str::to_owned);
    built.kid = header["kid"].as_str().map(str::to_owned);
    encode(&built, claims, &EncodingKey::from_ed_der(key.to_pkcs8_der().unwrap().as_bytes())).unwrap()
}

async fn refused(app: &TestApp, token: &str, why: &str) {
    let answer = app.anonymous().with_token(token).get("/api/v1/orders").await;
    assert_eq!((answer.status, answer.code()), (401, "unauthenticated"), "{why}");
}

#[tokio::test]
async fn everything_about_a_token_is_pinned() {
    let app = TestApp::peopled().await;
    let (header, claims) = parts(&app).await;
    let own = app.state.notary.pane_key();
    let good = signed(own, &header, &claims);
    app.anonymous().with_token(&good).get("/api/v1/orders").await.assert_status(200);
    let now = claims["iat"].as_i64().unwrap();
    for change in [
        json!({ "exp": now - 6 }),
        json!({ "exp": null }),
        json!({ "exp": "never" }),
        json!({ "iss": "https://elsewhere.example" }),
        json!({ "iss": null }),
        json!({ "iss": [claims["iss"], "https://elsewhere.example"] }),
        json!({ "aud": "countersign" }),
        json!({ "aud": null }),
        json!({ "aud": [claims["aud"], "other"] }),
        json!({ "sub": null }),
        json!({ "sub": "00000000-0000-7000-8000-000000000000" }),
        json!({ "jti": null }),
        json!({ "token_epoch": 2 }),
        json!({ "token_epoch": null }),
    ] {
        refused(&app, &signed(own, &header, &with(claims.clone(), &change)), &change.to_string()).await;
    }
    for change in
        [json!({ "typ": "JWT" }), json!({ "typ": null }), json!({ "kid": null }), json!({ "kid": "0".repeat(64) })]
    {
        refused(&app, &signed(own, &with(header.clone(), &change), &claims), &change.to_string()).await;
    }
    // Another key: its own name is not known, and under ours it does not verify; nor does the checkpoint's count here.
    let other = SigningKey::from_bytes(&[7; 32]);
    refused(&app, &signed(&other, &header, &claims), "another key").await;
    let named = json!({ "kid": app.state.notary.fingerprint() });
    refused(&app, &signed(own, &with(header.clone(), &named), &claims), "a key of another purpose").await;
}

#[tokio::test]
async fn other_algorithms_are_none() {
    let app = TestApp::peopled().await;
    let (header, claims) = parts(&app).await;
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    for alg in ["none", "HS256", "ES256", "RS256", "eddsa"] {
        let head = part(&with(header.clone(), &json!({ "alg": alg })));
        for signature in ["", "AAAA"] {
            refused(&app, &format!("{head}.{}.{signature}", part(&claims)), alg).await;
        }
    }
    // The public key as an HMAC secret.
    let public = app.state.notary.pane_key().verifying_key().to_bytes();
    let mut hs = Header::new(Algorithm::HS256);
    hs.typ = header["typ"].as_str().map(str::to_owned);
    hs.kid = header["kid"].as_str().map(str::to_owned);
    let forged = encode(&hs, &claims, &EncodingKey::from_secret(&public).unwrap()).unwrap();
    refused(&app, &forged, "HMAC with the public key").await;
    for text in ["", ".", "..", "a.b.c", "csp_", &"x".repeat(9_000)] {
        refused(&app, text, text).await;
    }
}

#[tokio::test]
async fn a_token_lasts_a_quarter_of_an_hour_and_its_power_not_longer_than_its_client() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    app.advance(TimeDelta::seconds(15 * 60));
    watcher.get("/api/v1/orders").await.assert_status(200);
    app.advance(TimeDelta::seconds(7));
    watcher.get("/api/v1/orders").await.assert_problem(401, "unauthenticated");

    let watcher = app.watcher().await;
    let asleep = tokio::spawn({
        let watcher = watcher.clone();
        async move { watcher.get("/api/v1/orders?wait=20").await }
    });
    app.asleep(1).await;
    let rotated = app.machine().post("/api/v1/pane-clients/watcher/rotate", &json!({})).await.body(200);
    watcher.get("/api/v1/orders").await.assert_problem(401, "unauthenticated");
    asleep.await.unwrap().assert_problem(401, "unauthenticated");
    app.who("watcher").post("/api/v1/pane/token", &json!({})).await.assert_problem(401, "unauthenticated");
    let fresh = app.anonymous().with_token(rotated["token"].as_str().unwrap());
    let watcher = app.exchanged(&fresh).await;
    watcher.get("/api/v1/orders").await.assert_status(200);

    // With an overlap the old ones go on until it ends.
    let path = "/api/v1/pane-clients/watcher/rotate";
    app.machine().post(path, &json!({ "overlap_secs": 60 })).await.assert_status(200);
    watcher.get("/api/v1/orders").await.assert_status(200);
    app.exchanged(&fresh).await;
    app.advance(TimeDelta::seconds(61));
    fresh.post("/api/v1/pane/token", &json!({})).await.assert_problem(401, "unauthenticated");

    let revoked = app.machine().post("/api/v1/pane-clients/watcher/revoke", &json!({})).await.body(200);
    assert_eq!(revoked["revoked"], 1);
    watcher.get("/api/v1/orders").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn each_credential_opens_its_own_doors_alone() {
    let app = TestApp::peopled().await;
    let (secret, watcher, coder, ben) = (app.who("watcher"), app.watcher().await, app.who("coder"), app.who("ben"));
    let held = watcher.report(&dialog(OUTSIDE)).await;
    for (name, caller) in [("the long-lived token", &secret), ("an agent", &coder), ("a person", &ben)] {
        assert_eq!(pane_routes(caller, &held).await, vec![401; 6], "{name}");
    }
    for caller in [&watcher, &coder, &ben] {
        caller.post("/api/v1/pane/token", &json!({})).await.assert_problem(401, "unauthenticated");
    }
    for caller in [&secret, &watcher] {
        for path in ["/api/v1/proposals", "/api/v1/reviews", "/api/v1/supervision", "/api/v1/account", "/api/v1/events"]
        {
            caller.get(path).await.assert_problem(401, "unauthenticated");
        }
        let id = held["id"].as_str().unwrap();
        let ruling = json!({ "outcome": "approved", "digest": held["digest"], "note": "me" });
        let decided = caller.post(&format!("/api/v1/proposals/{id}/decision"), &ruling).await;
        decided.assert_problem(401, "unauthenticated");
    }
}

async fn pane_routes(caller: &Client, held: &Value) -> Vec<u16> {
    let id = held["id"].as_str().unwrap();
    let put = caller.request(reqwest::Method::PUT, "/api/v1/panes/main.1").json(&json!({}));
    vec![
        caller.send(put).await.status,
        caller.post("/api/v1/dialogs", &dialog(OUTSIDE)).await.status,
        caller.get(&format!("/api/v1/dialogs/{id}")).await.status,
        caller.post(&format!("/api/v1/dialogs/{id}/close"), &json!({ "reason": "vanished" })).await.status,
        caller.get("/api/v1/orders").await.status,
        caller.post(&format!("/api/v1/orders/{id}/outcome"), &json!({ "outcome": "sent" })).await.status,
    ]
}
