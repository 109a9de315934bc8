//! Decide: one answer, given to exactly what was read, by somebody who may; the first writer wins and everybody else is told.

use chrono::TimeDelta;
use countersign::domain::digest::Digest;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::client::Client;
use crate::support::proposals::{at, change, question, review_at, risky};

#[tokio::test]
async fn the_digest_must_be_that_of_what_is_stored() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Digest")).await;
    let other = json!({ "outcome": "approved", "digest": "0".repeat(64) });
    let answer = ben.rule(&asked, &other).await;
    answer.assert_problem(409, "changed");
    assert_eq!((&answer.json["field"], &answer.json["digest"]), (&json!("digest"), &asked["digest"]));
    for bad in [json!("abc"), json!(7), json!(null)] {
        let answer = ben.rule(&asked, &json!({ "outcome": "approved", "digest": bad })).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], "digest");
    }
    let unchanged = coder.look(&asked).await;
    assert_eq!((&unchanged["status"], &unchanged["version"]), (&json!("pending"), &json!(1)));
    let journal = app.journal_of(&asked).await;
    assert_eq!(journal.last().unwrap(), &("decision.refused".into(), "person:ben".into()));
}

#[tokio::test]
async fn the_first_answer_stands_and_others_are_told_who_what_and_when() {
    let app = TestApp::peopled().await;
    let (coder, ben, ada) = (app.who("coder"), app.who("ben"), app.who("ada"));
    let asked = coder.propose(&change("First")).await;
    let review = ben.rule(&asked, &json!({ "outcome": "approved", "note": "fine" })).await.body(200);
    let decision = &review["decision"];
    let told = json!({ "outcome": "approved", "note": "fine", "body": null, "digest": null, "option": null,
        "answers": null, "decided_by": "ben", "source": "person" });
    for (name, value) in told.as_object().unwrap() {
        assert_eq!(&decision[name], value, "{name}");
    }
    assert_eq!(review["votes"], json!({ "needed": 1, "have": 1, "by": ["ben"] }));
    assert_eq!((&review["version"], &review["may_decide"]), (&json!(2), &json!(false)));

    // The same answer by the same person is no error and changes nothing, whatever its note.
    for note in [json!("fine"), json!("again")] {
        let again = ben.rule(&asked, &json!({ "outcome": "approved", "note": note })).await.body(200);
        assert_eq!((&again["decision"], &again["version"]), (decision, &json!(2)));
    }
    for (person, outcome) in [(&ada, "approved"), (&ada, "rejected"), (&ben, "rejected")] {
        let late = person.decide(&asked, outcome).await;
        late.assert_problem(409, "already_decided");
        assert_eq!((&late.json["decided_by"], &late.json["outcome"]), (&json!("ben"), &json!("approved")));
        let at = |value: &Value| value.as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
        assert_eq!(at(&late.json["decided_at"]), at(&decision["decided_at"]));
    }
    assert_eq!(coder.look(&asked).await["decision"], *decision);
    let decided = app.journal_of(&asked).await.iter().filter(|(kind, _)| kind == "proposal.decided").count();
    assert_eq!(decided, 1);
}

#[tokio::test]
async fn an_edit_is_decided_with_its_own_text_and_digest() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Edit")).await;
    let edit = json!({ "outcome": "modified", "body": "retries = 4\n", "note": "five is much" });
    ben.rule(&asked, &edit).await.assert_status(200);
    let decided = coder.look(&asked).await;
    assert_eq!((&decided["status"], &decided["decision"]["body"]), (&json!("modified"), &json!("retries = 4\n")));
    assert_eq!(decided["decision"]["digest"], Digest::of(b"retries = 4\n").to_string());
    assert_eq!(decided["digest"], asked["digest"], "what was asked stays what was asked");
    ben.rule(&asked, &edit).await.assert_status(200);
    let other = json!({ "outcome": "modified", "body": "retries = 9\n" });
    ben.rule(&asked, &other).await.assert_problem(409, "already_decided");
}

#[tokio::test]
async fn only_a_change_with_a_body_takes_an_edit() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let bare = coder.propose(&json!({ "action": "run", "title": "Bare", "command": "make" })).await;
    let asked = coder.propose(&question("Edit me")).await;
    let edit = json!({ "outcome": "modified", "body": "b" });
    for proposal in [&bare, &asked] {
        ben.rule(proposal, &edit).await.assert_problem(422, "not_modifiable");
    }
    let full = coder.propose(&change("Full")).await;
    let rulings = [
        ("body", json!({ "outcome": "modified" })),
        ("option", json!({ "outcome": "approved", "option": 1 })),
        ("answers", json!({ "outcome": "approved", "answers": [] })),
        ("note", json!({ "outcome": "approved", "note": "n".repeat(4001) })),
        ("note", json!({ "outcome": "approved", "note": "\u{0}" })),
        ("outcome", json!({ "outcome": "expired" })),
        ("outcome", json!({ "outcome": "withdrawn" })),
    ];
    for (field, ruling) in rulings {
        let answer = ben.rule(&full, &ruling).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field, "{ruling}");
    }
    for outcome in ["approved", "rejected"] {
        ben.rule(&full, &json!({ "outcome": outcome, "body": "b" })).await.assert_problem(422, "not_modifiable");
    }
    ben.rule(&full, &json!({ "outcome": "approved", "really": true })).await.assert_problem(422, "unknown_field");
    assert_eq!(coder.look(&full).await["status"], "pending");
}

#[tokio::test]
async fn high_risk_takes_a_fresh_password_and_a_reason_to_approve() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&risky("Deploy")).await;
    app.advance(TimeDelta::minutes(6));
    let reasoned = json!({ "outcome": "approved", "note": "The tests are green." });
    ben.rule(&asked, &reasoned).await.assert_problem(403, "reauth_required");
    let body = json!({ "password": PASSWORD });
    let fresh = ben.post("/api/v1/session/reauth", &body).await;
    fresh.assert_status(204);
    ben.rule(&asked, &reasoned).await.assert_problem(401, "unauthenticated");
    let ben = ben.with_cookie(&fresh.cookie());
    for note in [json!(null), json!(" \n")] {
        let answer = ben.rule(&asked, &json!({ "outcome": "approved", "note": note })).await;
        answer.assert_problem(422, "reason_required");
        assert_eq!(answer.json["field"], "note");
    }
    ben.rule(&asked, &reasoned).await.assert_status(200);
    // Rejecting is never made hard.
    let asked = coder.propose(&risky("Deploy more")).await;
    app.advance(TimeDelta::minutes(6));
    ben.decide(&asked, "rejected").await.assert_status(200);
}

/// The reason in the answer is the one on the page.
async fn refused(person: &Client, asked: &Value, why: &str) {
    let answer = person.decide(asked, "approved").await;
    answer.assert_problem(403, "forbidden");
    let review = person.get(&review_at(asked)).await.body(200);
    assert_eq!((&review["may_decide"], &review["why_not"]), (&json!(false), &answer.json["why"]));
    assert!(answer.json["why"].as_str().unwrap().contains(why), "{}", answer.text);
}

#[tokio::test]
async fn who_may_not_is_told_why_and_it_is_on_the_record() {
    let app = TestApp::peopled().await;
    let (coder, painter) = (app.who("coder"), app.who("painter"));
    let (api, web) = (coder.propose(&change("In api")).await, painter.propose(&change("In web")).await);
    refused(&app.who("vic"), &api, "only an approver").await;
    refused(&app.who("tom"), &api, "only an approver").await;
    // What cannot be read is not there at all.
    let lin = app.who("lin");
    lin.decide(&api, "approved").await.assert_problem(404, "not_found");
    lin.get(&review_at(&api)).await.assert_problem(404, "not_found");
    lin.decide(&web, "approved").await.assert_status(200);
    // An agent decides nothing, whichever door it tries.
    coder.decide(&api, "approved").await.assert_problem(401, "unauthenticated");
    assert_eq!(coder.look(&api).await["status"], "pending");
    let refusals: Vec<_> =
        app.journal_of(&api).await.into_iter().filter(|(kind, _)| kind == "decision.refused").collect();
    assert_eq!(
        refusals.iter().map(|(_, actor)| actor.as_str()).collect::<Vec<_>>(),
        ["person:vic", "person:tom", "person:lin"]
    );
}

#[tokio::test]
async fn a_right_that_was_taken_away_no_longer_decides() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Demoted")).await;
    let grant = app.local().get("/api/v1/users/ben").await.body(200)["grants"][0]["id"].clone();
    app.machine().delete(&format!("/api/v1/grants/{}", grant.as_str().unwrap())).await.assert_status(204);
    ben.decide(&asked, "approved").await.assert_problem(404, "not_found");
    let session = app.local().get("/api/v1/users/ada/sessions").await.body(200)["items"][0]["id"].clone();
    app.machine().delete(&format!("/api/v1/sessions/{}", session.as_str().unwrap())).await.assert_status(204);
    app.who("ada").decide(&asked, "approved").await.assert_problem(401, "unauthenticated");
    assert_eq!(coder.get(&at(&asked)).await.json["status"], "pending");
}
