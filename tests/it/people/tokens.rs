//! Agents' tokens: shown once, bound to a lane, and dead everywhere the moment they are taken back.

use chrono::TimeDelta;
use serde_json::json;

use super::stage::Stage;
use crate::support::app::TestApp;
use crate::support::cluster;
use crate::support::proposals::{at, change, review_at};

#[tokio::test]
async fn a_token_works_until_it_is_revoked_and_not_a_moment_longer() {
    let stage = Stage::new().await;
    let token = stage.agent("api").await;
    assert!(token.starts_with("csa_") && token.len() == 47, "{token}");
    let agent = stage.app.anonymous().with_token(&token);
    agent.get("/api/v1/proposals").await.assert_status(200);
    let shown = stage.app.local().get("/api/v1/agents/api").await;
    assert!(!shown.text.contains(&token));
    assert_eq!(shown.json["tokens"][0]["hint"], token[token.len() - 4..]);

    stage.admin.post("/api/v1/agents/api/revoke", &json!({})).await.assert_status(200);
    agent.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn another_server_forgets_a_revoked_token_as_soon_as_it_reads_the_journal() {
    let database = cluster::database().await;
    let stage = Stage::on(TestApp::start_on(&database).await).await;
    let replica = TestApp::start_on(&database).await;
    let agent = replica.anonymous().with_token(&stage.agent("api").await);
    agent.get("/api/v1/proposals").await.assert_status(200);
    let clearings = replica.state.hub.bearers.clearings();
    stage.admin.delete("/api/v1/agents/api").await.assert_status(204);
    tokio::time::timeout(std::time::Duration::from_secs(2), async {
        while replica.state.hub.bearers.clearings() == clearings {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("the tail tells the other server within two seconds");
    agent.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn rotating_kills_the_old_token_at_once_or_after_the_overlap() {
    let stage = Stage::new().await;
    let first = stage.app.anonymous().with_token(&stage.agent("api").await);
    let rotate = async |overlap: u32| {
        let made = stage.admin.post("/api/v1/agents/api/rotate", &json!({"overlap_secs": overlap})).await.body(200);
        stage.app.anonymous().with_token(made["token"].as_str().unwrap())
    };
    let second = rotate(0).await;
    first.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    let third = rotate(60).await;
    second.get("/api/v1/proposals").await.assert_status(200);
    stage.app.advance(TimeDelta::seconds(61));
    second.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    third.get("/api/v1/proposals").await.assert_status(200);
}

#[tokio::test]
async fn no_credential_is_taken_for_another() {
    let stage = Stage::new().await;
    let token = stage.agent("api").await;
    let ada = stage.sign_in(super::stage::ADMIN).await;
    let cookie = ada.cookie().unwrap().split_once('=').unwrap().1.to_owned();
    let anyone = stage.app.anonymous();
    anyone.with_token(&token).get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    anyone.with_token(&cookie).get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    anyone.with_cookie(&format!("session={token}")).get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    ada.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    let local = stage.app.local();
    let settings = json!({"agent_cap": 1});
    local.with_token(&token).patch("/api/v1/settings", &settings).await.assert_problem(401, "unauthenticated");
    local.with_cookie(ada.cookie().unwrap()).get("/api/v1/users").await.assert_problem(403, "proxied");
}

#[tokio::test]
async fn removing_an_agent_withdraws_what_it_had_asked_for() {
    let app = TestApp::peopled().await;
    let made = app.who("coder").propose(&change("nobody will collect this")).await;
    app.machine().delete("/api/v1/agents/coder").await.assert_status(204);
    let review = app.who("ben").get(&review_at(&made)).await.body(200);
    assert_eq!((&review["status"], &review["version"]), (&json!("withdrawn"), &json!(2)));
    app.who("coder").get(&at(&made)).await.assert_problem(401, "unauthenticated");
}
