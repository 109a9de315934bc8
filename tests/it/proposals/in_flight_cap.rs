//! The in-flight cap: twenty at once, counted exactly, and given back by every way in which a proposal can end.

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::{change, with};

const CAP: usize = 20;

#[tokio::test]
async fn the_twenty_first_is_told_which_ones_wait_and_every_end_makes_room() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut waiting: Vec<Value> = Vec::new();
    for n in 0..CAP {
        let ask = with(change(&format!("n {n}")), &json!({ "expires_in": if n == 0 { 60 } else { 86_400 } }));
        waiting.push(coder.propose(&ask).await);
    }
    let full = coder.post("/api/v1/proposals", &change("one more")).await;
    full.assert_problem(429, "too_many_pending");
    let ids: Vec<_> = waiting.iter().map(|asked| asked["id"].clone()).collect();
    assert_eq!(full.json["pending_ids"], json!(ids));
    assert_eq!(full.header("retry-after"), full.json["retry_after"].to_string());
    // What is pending can still be joined, and others are not concerned.
    let same = with(change("n 3"), &json!({ "expires_in": 86_400 }));
    assert_eq!(coder.post("/api/v1/proposals", &same).await.body(200)["joined"], true);
    app.who("tester").propose(&change("one more")).await;

    app.advance(TimeDelta::seconds(61));
    assert_eq!(coder.look(&waiting[0]).await["status"], "expired");
    one_more(&app, "after expired").await;
    coder.withdraw(&waiting[1]).await.assert_status(200);
    one_more(&app, "after withdrawn").await;
    ben.decide(&waiting[2], "approved").await.assert_status(200);
    one_more(&app, "after approved").await;
    ben.decide(&waiting[3], "rejected").await.assert_status(200);
    one_more(&app, "after rejected").await;
    ben.rule(&waiting[4], &json!({ "outcome": "modified", "body": "retries = 4\n" })).await.assert_status(200);
    one_more(&app, "after modified").await;
}

/// There is room for one, and not for two.
async fn one_more(app: &TestApp, title: &str) {
    let coder = app.who("coder");
    coder.propose(&change(title)).await;
    let full = coder.post("/api/v1/proposals", &change("one more")).await;
    full.assert_problem(429, "too_many_pending");
    assert_eq!(full.json["pending_ids"].as_array().unwrap().len(), CAP);
}

#[tokio::test]
async fn forty_at_once_are_exactly_twenty() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asks: Vec<_> = (0..2 * CAP).map(|n| change(&format!("n {n}"))).collect();
    let answers = join_all(asks.iter().map(|ask| coder.post("/api/v1/proposals", ask))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let told = answers.iter().filter(|answer| answer.code() == "too_many_pending").count();
    assert_eq!((made, told), (CAP, CAP));
    let all = coder.get("/api/v1/proposals?status=pending").await.body(200);
    assert_eq!(all["items"].as_array().unwrap().len(), CAP);
}
