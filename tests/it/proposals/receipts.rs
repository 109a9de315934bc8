//! Receipts: what happened to a proposal on its way, once each, without a version; acknowledging is apart from reading.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::{change, review_at};

async fn receipts(app: &TestApp, asked: &Value) -> Value {
    app.who("coder").look(asked).await["receipts"].clone()
}

#[tokio::test]
async fn notified_and_seen_are_told_by_those_who_may_decide() {
    let app = TestApp::peopled().await;
    let (coder, ben, vic) = (app.who("coder"), app.who("ben"), app.who("vic"));
    let mut viewer = app.phone_of(&vic).await;
    let first = coder.propose(&change("Nobody who may")).await;
    viewer.next_of("proposal.created").await;
    vic.get(&review_at(&first)).await.assert_status(200);
    coder.get(&review_at(&first)).await.assert_problem(401, "unauthenticated");

    let mut phone = app.phone_of(&ben).await;
    let second = coder.propose(&change("Somebody who may")).await;
    assert_eq!(phone.next_of("proposal.notified").await["proposal_id"], second["id"]);
    // The batcher writes in order: had the viewer's hint left a receipt, it would be there by now.
    let untouched = receipts(&app, &first).await;
    assert_eq!((&untouched["notified_at"], &untouched["seen_at"]), (&json!(null), &json!(null)));

    ben.get(&review_at(&second)).await.assert_status(200);
    assert_eq!(phone.next_of("proposal.seen").await["data"], json!({}));
    let seen = receipts(&app, &second).await;
    assert!(seen["notified_at"].is_string() && seen["seen_at"].is_string());
    // The second to open it changes nothing, and neither raises a version.
    app.who("ada").get(&review_at(&second)).await.assert_status(200);
    ben.decide(&second, "approved").await.assert_status(200);
    phone.next_of("proposal.decided").await;
    assert_eq!(coder.look(&second).await["version"], 2);
    phone.next_of("proposal.collected").await;
    assert_eq!(receipts(&app, &second).await["seen_at"], seen["seen_at"]);
}

#[tokio::test]
async fn collected_is_the_first_final_answer_to_the_agent_that_asked() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let asked = coder.propose(&change("Collect")).await;
    coder.look(&asked).await;
    ben.decide(&asked, "rejected").await.assert_status(200);
    // A colleague's look is not a collection.
    assert_eq!(app.who("tester").look(&asked).await["receipts"]["collected_at"], json!(null));
    assert_eq!(coder.look(&asked).await["receipts"]["collected_at"], json!(null), "noted after the answer");
    phone.next_of("proposal.collected").await;
    let first = coder.look(&asked).await;
    assert!(first["receipts"]["collected_at"].is_string());
    assert_eq!(coder.look(&asked).await, first, "once");
    assert_eq!(first["version"], 2);
    assert_eq!(first["receipts"]["archived_at"], json!(null), "reading does not archive");
}

#[tokio::test]
async fn acknowledging_archives_once_and_takes_nothing_away() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Ack")).await;
    coder.ack(&asked).await.assert_problem(409, "not_final");
    ben.decide(&asked, "approved").await.assert_status(200);
    for other in ["tester", "painter"] {
        app.who(other).ack(&asked).await.assert_problem(404, "not_found");
    }
    coder.ack(&asked).await.assert_status(204);
    let done = coder.look(&asked).await;
    assert!(done["receipts"]["archived_at"].is_string());
    coder.ack(&asked).await.assert_status(204);
    let again = coder.look(&asked).await;
    assert_eq!(again["receipts"]["archived_at"], done["receipts"]["archived_at"]);
    assert_eq!((&again["decision"]["outcome"], &again["version"]), (&json!("approved"), &json!(2)));
    let archived = app.journal_of(&asked).await.iter().filter(|(kind, _)| kind == "proposal.archived").count();
    assert_eq!(archived, 1);
}
