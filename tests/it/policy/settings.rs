//! What the policy says outside dialogs: which actions are of high risk, and whether every approval needs a reason.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cluster;
use crate::support::proposals::{change, review_at, with};

async fn risk(app: &TestApp, asked: &Value) -> Value {
    app.who("ben").get(&review_at(asked)).await.body(200)["risk"].clone()
}

#[tokio::test]
async fn high_actions_are_the_policys_on_every_replica_at_once() {
    let database = {
        let app = TestApp::peopled().await;
        let database = app.database.clone();
        app.stop().await;
        database
    };
    let (app, other) = (TestApp::start_on(&database).await, TestApp::start_on(&database).await);
    let publish = |title: &str| with(change(title), &json!({ "action": "publish.site" }));
    let agent = |app: &TestApp| app.who("coder");
    let before = agent(&other).propose(&publish("before")).await;
    assert_eq!(risk(&app, &before).await, "medium");
    let told = other.phone_of(&other.who("vic")).await;
    app.set_policy(&json!({ "high_actions": ["publish.*"] })).await;
    let mut told = told;
    let frame = told.next_of("supervision.changed").await;
    assert_eq!(frame["data"], json!({ "version": 2 }), "what it says is asked for");
    let after = agent(&other).propose(&publish("after")).await;
    assert_eq!((risk(&app, &after).await, risk(&app, &before).await), (json!("high"), json!("medium")));
}

#[tokio::test]
async fn a_reason_for_every_approval_is_frozen_into_what_is_asked() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let before = coder.propose(&change("before")).await;
    app.set_policy(&json!({ "require_reason": true })).await;
    let after = coder.propose(&change("after")).await;
    ben.decide(&before, "approved").await.assert_status(200);
    ben.decide(&after, "approved").await.assert_problem(422, "reason_required");
    ben.rule(&after, &json!({ "outcome": "approved", "note": "checked" })).await.assert_status(200);
    let refused = coder.propose(&change("refused")).await;
    ben.decide(&refused, "rejected").await.assert_status(200);
}

#[tokio::test]
async fn the_setting_of_before_says_where_it_went() {
    let app = TestApp::peopled().await;
    let answer = app.machine().patch("/api/v1/settings", &json!({ "high_actions": [] })).await;
    answer.assert_problem(422, "unknown_field");
    assert!(answer.json["detail"].as_str().unwrap().contains("policy set supervision.high_actions"));
    assert!(app.local().get("/api/v1/settings").await.body(200).get("high_actions").is_none());
    let mut conn = cluster::connect(&app.database).await;
    let stored: Value = sqlx::query_scalar("select settings from instance").fetch_one(&mut conn).await.unwrap();
    assert!(stored.get("high_actions").is_none());
}
