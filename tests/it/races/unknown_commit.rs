//! The connection breaks at the commit: what is in the database is the truth, nothing is done twice, nothing is lost.

use serde_json::json;

use super::nothing_is_double_or_lost;
use crate::support::app::TestApp;
use crate::support::cut::{Way, When};
use crate::support::proposals::{at, change};

async fn cut_service() -> (TestApp, Way) {
    // Its own first service is of no use here; its database, with the cast, is.
    let app = TestApp::peopled().await;
    let way = Way::to(&app.database);
    app.stop().await;
    (TestApp::start_on(&way.database).await, way)
}

#[tokio::test]
async fn a_decision_whose_commit_is_lost_is_read_back() {
    let (app, way) = cut_service().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("After")).await;
    let poll = tokio::spawn({
        let (coder, asked) = (coder.clone(), asked.clone());
        async move { coder.wait(&asked, 30).await }
    });
    app.asleep(1).await;
    way.cut_at_commit_of("cut me", When::After);
    let review = ben.rule(&asked, &json!({ "outcome": "approved", "note": "cut me" })).await.body(200);
    assert!(way.was_cut());
    assert_eq!((&review["status"], &review["version"]), (&json!("approved"), &json!(2)));
    let woken = tokio::time::timeout(std::time::Duration::from_secs(5), poll).await.expect("the agent hears of it");
    assert_eq!(woken.unwrap().body(200)["decision"]["decided_by"], "ben");
    app.who("ada").decide(&asked, "rejected").await.assert_problem(409, "already_decided");
    nothing_is_double_or_lost(&app).await;
}

#[tokio::test]
async fn a_decision_that_never_arrived_is_said_not_to_have_and_may_come_again() {
    let (app, way) = cut_service().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Before")).await;
    way.cut_at_commit_of("cut me", When::Before);
    let ruling = json!({ "outcome": "approved", "note": "cut me" });
    ben.rule(&asked, &ruling).await.assert_problem(503, "unavailable");
    assert!(way.was_cut());
    assert_eq!(super::status(&app, &asked).await, "pending");
    ben.decide(&asked, "approved").await.assert_status(200);
    assert_eq!(super::status(&app, &asked).await, "approved");
    nothing_is_double_or_lost(&app).await;
}

#[tokio::test]
async fn a_create_whose_answer_is_lost_is_found_and_not_doubled() {
    let (app, way) = cut_service().await;
    let coder = app.who("coder");
    way.cut_at("Lost on the way back", When::After);
    let answer = coder.post("/api/v1/proposals", &change("Lost on the way back")).await;
    assert!(way.was_cut() && matches!(answer.status, 200 | 201), "{}", answer.text);
    assert_eq!(answer.json["status"], "pending");
    way.cut_at("Lost on the way there", When::Before);
    let ask = change("Lost on the way there");
    let refused = coder.propose_as("k", &ask).await;
    assert!(way.was_cut());
    refused.assert_problem(503, "unavailable");
    let made = coder.propose_as("k", &ask).await.body(201);
    assert_eq!(coder.propose_as("k", &ask).await.body(200)["id"], made["id"]);
    let all = coder.get("/api/v1/proposals").await.body(200);
    let titles: Vec<_> = all["items"].as_array().unwrap().iter().map(|item| item["title"].clone()).collect();
    assert_eq!(titles, [json!("Lost on the way there"), json!("Lost on the way back")]);
    nothing_is_double_or_lost(&app).await;
}

#[tokio::test]
async fn a_withdrawal_whose_commit_is_lost_is_done_or_may_come_again() {
    let (app, way) = cut_service().await;
    let coder = app.who("coder");
    for (title, when) in [("After", When::After), ("Before", When::Before)] {
        let asked = coder.propose(&change(title)).await;
        way.cut_at_commit_of("cut me", when);
        let reason = json!({ "reason": "cut me" });
        coder.post(&format!("{}/withdraw", at(&asked)), &reason).await.assert_problem(503, "unavailable");
        assert!(way.was_cut());
        let again = coder.withdraw(&asked).await;
        match when {
            When::Before => again.assert_status(200),
            When::After => again.assert_problem(409, "already_final"),
        }
        assert_eq!(super::status(&app, &asked).await, "withdrawn");
    }
    nothing_is_double_or_lost(&app).await;
}
