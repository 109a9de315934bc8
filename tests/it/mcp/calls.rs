//! `propose` and `check-proposal`: every way in which a proposal can stand, as the model reads it and as its client does.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::mcp::Told;
use crate::support::proposals::{change, question, with};

/// The proposal as REST knows it.
async fn seen(caller: &Client, told: &Told) -> Value {
    caller.look(&json!({ "id": told.id() })).await
}

#[tokio::test]
async fn pending_names_the_id_and_says_what_to_do_next() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let told = coder.put_forward(&change("Later")).await;
    assert_eq!((told.status(), told.is_error), ("pending", false));
    assert_eq!(
        told.data,
        json!({ "status": "pending", "proposal_id": told.id(), "retry_after": 5, "message": told.text })
    );
    for words in [told.id(), "Do not propose this again", "check-proposal", "5 seconds", "nothing is approved"] {
        assert!(told.text.contains(words), "{words}: {}", told.text);
    }
    let again = coder.check(told.id()).await;
    assert_eq!((again.data, again.text), (told.data, told.text));
}

#[tokio::test]
async fn every_decision_reaches_the_model_in_words_and_as_data() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let told = coder.put_forward(&change("Approved")).await;
    ben.rule(&seen(&coder, &told).await, &json!({ "outcome": "approved", "note": "not on Friday" })).await.body(200);
    let said = coder.check(told.id()).await;
    assert_eq!((said.status(), said.is_error), ("approved", false));
    assert_eq!(said.data["decision"], seen(&coder, &told).await["decision"]);
    assert_eq!(said.text, "Approved by ben: do exactly what you proposed.\nNote from ben: not on Friday");

    let told = coder.put_forward(&change("Modified")).await;
    let ruling = json!({ "outcome": "modified", "body": "retries = 4\n", "note": "four will do" });
    ben.rule(&seen(&coder, &told).await, &ruling).await.body(200);
    let said = coder.check(told.id()).await;
    assert_eq!((said.status(), said.is_error), ("modified", false));
    assert_eq!(said.data["decision"]["body"], "retries = 4\n");
    assert!(said.text.ends_with("\nNote from ben: four will do\nBody:\nretries = 4\n"), "{}", said.text);

    let told = coder.put_forward(&change("Rejected")).await;
    ben.rule(&seen(&coder, &told).await, &json!({ "outcome": "rejected", "note": "use the other queue" }))
        .await
        .body(200);
    let said = coder.check(told.id()).await;
    assert_eq!((said.status(), said.is_error), ("rejected", true));
    assert!(said.text.contains("do not do it") && said.text.contains("use the other queue"), "{}", said.text);
    let again = coder.put_forward(&change("Rejected")).await;
    assert_ne!(again.id(), told.id());
    assert!(again.text.contains("rejected before"), "{}", again.text);
}

#[tokio::test]
async fn answers_to_questions_are_read_one_by_one() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let told = coder.put_forward(&question("Which")).await;
    let review = seen(&coder, &told).await;
    let answers = json!([{ "question": 0, "choices": ["left"] }]);
    let ruled = ben.rule(&review, &json!({ "outcome": "approved", "answers": answers })).await;
    assert_eq!(ruled.status, 200, "{}", ruled.text);
    let said = coder.check(told.id()).await;
    assert_eq!(said.data["decision"]["answers"], answers);
    assert_eq!(said.text, "Answered by ben.\nAnswer to question 1: left");
}

#[tokio::test]
async fn expired_and_withdrawn_are_not_approved_and_no_error() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let late = coder.put_forward(&with(change("Late"), &json!({ "expires_in": 60 }))).await;
    let gone = coder.put_forward(&change("Gone")).await;
    let path = format!("/api/v1/proposals/{}/withdraw", gone.id());
    coder.post(&path, &json!({ "reason": "found another way" })).await.assert_status(200);
    app.advance(TimeDelta::seconds(61));
    for (told, status, words) in [(&late, "expired", "expired"), (&gone, "withdrawn", "found another way")] {
        let said = coder.check(told.id()).await;
        assert_eq!((said.status(), said.is_error, said.data.get("decision")), (status, false, None));
        assert!(said.text.starts_with("Not approved") && said.text.contains(words), "{}", said.text);
    }
}

#[tokio::test]
async fn what_is_not_the_agents_is_unknown() {
    let app = TestApp::peopled().await;
    let told = app.who("coder").put_forward(&change("Mine")).await;
    for id in [told.id(), "00000000-0000-7000-8000-000000000000", "no id at all", ""] {
        let said = app.who("painter").check(id).await;
        assert_eq!((said.status(), said.is_error, said.id()), ("unknown", true, id));
        assert!(said.text.contains("Do not act"), "{}", said.text);
    }
    // Another agent of the lane may look, as it may over REST; only its own agent takes the decision.
    app.who("ben").decide(&seen(&app.who("coder"), &told).await, "approved").await.assert_status(200);
    assert_eq!(app.who("tester").check(told.id()).await.status(), "approved");
    assert_eq!(seen(&app.who("coder"), &told).await["receipts"]["archived_at"], Value::Null);
}

#[tokio::test]
async fn refusals_are_errors_with_rests_codes() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let table = [
        ("propose", json!({ "action": "edit" }), "invalid", "title"),
        ("propose", json!({ "action": "edit", "title": "A", "urgent": true }), "unknown_field", "urgent"),
        ("propose", json!({ "action": "edit", "title": "A", "wait": 46 }), "invalid", "wait"),
        ("propose", json!({ "action": "edit", "title": 7 }), "invalid", "title"),
        ("propose", json!({ "action": "edit", "title": "A", "kind": "dialog" }), "invalid", "kind"),
        (
            "propose",
            json!({ "action": "a", "title": "A", "kind": "question", "questions": [{}] }),
            "invalid",
            "questions[0].question",
        ),
        ("propose", json!({ "action": "edit", "title": "A", "idempotency_key": "" }), "invalid", "idempotency_key"),
        ("check-proposal", json!({}), "invalid", "proposal_id"),
        ("check-proposal", json!({ "proposal_id": "x", "lane": "web" }), "unknown_field", "lane"),
        ("supervision_status", json!({ "lane": "web" }), "unknown_field", "lane"),
        ("supervision_audit", json!({ "lane": "web" }), "unknown_field", "lane"),
        ("supervision_audit", json!({ "limit": 0 }), "invalid", "limit"),
    ];
    for (tool, args, code, field) in table {
        let told = coder.tool(tool, &args).await;
        assert_eq!((told.code(), told.is_error), (code, true), "{tool} {args}: {}", told.text);
        assert_eq!(told.data["field"], field, "{tool} {args}: {}", told.text);
        assert!(told.text.contains(field), "{}", told.text);
    }
    let keyed = |title: &str| with(change(title), &json!({ "idempotency_key": "k", "wait": 0 }));
    let first = coder.tool("propose", &keyed("One")).await;
    assert_eq!(coder.tool("propose", &keyed("One")).await.id(), first.id());
    assert_eq!(coder.tool("propose", &keyed("Two")).await.code(), "idempotency_mismatch");
}

#[tokio::test]
async fn supervision_is_read_in_the_agents_own_lane() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let status = coder.tool("supervision_status", &json!({})).await;
    assert_eq!(status.data, coder.get("/api/v1/supervision/status").await.body(200));
    let lanes: Vec<_> = status.data["lanes"].as_array().unwrap().iter().map(|lane| &lane["lane"]).collect();
    assert_eq!(lanes, ["api"]);
    let audit = coder.tool("supervision_audit", &json!({ "limit": 3 })).await;
    assert_eq!(audit.data, coder.get("/api/v1/supervision/audit?limit=3").await.body(200));
    assert_eq!(audit.text, audit.data.to_string());
}
