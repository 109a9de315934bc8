//! Create: validated, answered at once with what to do next, or with the decision if it comes while the agent waits.

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::app::TestApp;
use crate::support::proposals::{change, question, risky, with};

#[tokio::test]
async fn without_a_wait_the_answer_is_pending_with_how_to_check() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let answer = coder.post("/api/v1/proposals", &change("Raise retries")).await;
    answer.assert_status(201);
    assert_eq!(answer.header("etag"), "\"v1\"");
    assert_eq!(answer.header("retry-after"), answer.json["retry_after"].to_string());
    let asked = answer.json;
    let id = asked["id"].as_str().unwrap();
    assert_eq!(asked["check_url"], format!("{}/api/v1/proposals/{id}", app.url));
    assert_eq!(asked["review_url"], format!("{}/p/{id}", app.url));
    let told = json!({ "kind": "change", "action": "edit", "title": "Raise retries", "status": "pending", "lane": "api",
        "version": 1, "expires_at": null, "joined": false, "previously_rejected": false, "replaces": null,
        "votes": { "needed": 1, "have": 0, "by": [] }, "decision": null });
    for (name, value) in told.as_object().unwrap() {
        assert_eq!(&asked[name], value, "{name}");
    }
    assert_eq!(asked["digest"].as_str().unwrap().len(), 64);
    assert_eq!(coder.look(&asked).await, asked, "what is written back is what was answered");
}

#[tokio::test]
async fn with_a_wait_the_answer_is_the_decision_if_it_comes_in_time() {
    let app = TestApp::peopled().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let waiting = tokio::spawn({
        let coder = app.who("coder");
        async move { coder.propose(&with(change("Quick"), &json!({ "wait": 30 }))).await }
    });
    let id = phone.next_of("proposal.created").await["proposal_id"].clone();
    app.asleep(1).await;
    let asked = app.who("coder").look(&json!({ "id": id })).await;
    let decided = Instant::now();
    app.who("ben").decide(&asked, "approved").await.assert_status(200);
    let answer = waiting.await.unwrap();
    assert!(decided.elapsed().as_millis() < 1000);
    assert_eq!((&answer["id"], &answer["status"]), (&id, &json!("approved")));
    phone.next_of("proposal.collected").await;

    // Nobody decides: the wait ends, and the proposal goes on.
    let started = Instant::now();
    let answer = app.who("coder").propose(&with(change("Slow"), &json!({ "wait": 1 }))).await;
    assert!((900..4000).contains(&started.elapsed().as_millis()));
    assert_eq!(answer["status"], "pending");
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_by_its_field_and_leaves_nothing() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asks = [
        ("wait", with(change("a"), &json!({ "wait": 46 }))),
        ("expires_in", with(change("a"), &json!({ "expires_in": 0 }))),
        ("expires_in", with(change("a"), &json!({ "expires_in": 2_592_001 }))),
        ("action", with(change("a"), &json!({ "action": " " }))),
        ("title", with(change("a"), &json!({ "title": "two\nlines" }))),
        ("title", with(change("a"), &json!({ "title": "t".repeat(301) }))),
        ("title", json!({ "action": "edit" })),
        ("body", with(change("a"), &json!({ "body": "\u{0}" }))),
        ("base", json!({ "action": "edit", "title": "a", "base": "b" })),
        ("command", with(change("a"), &json!({ "command": " " }))),
        ("kind", with(change("a"), &json!({ "kind": "dialog" }))),
        ("questions", with(change("a"), &json!({ "questions": [{ "question": "?", "free_text": true }] }))),
        ("questions", with(question("a"), &json!({ "questions": [] }))),
        ("body", with(question("a"), &json!({ "body": "b" }))),
        ("questions[0].options", with(question("a"), &json!({ "questions": [{ "question": "?" }] }))),
        (
            "questions[0].options[1]",
            with(question("a"), &json!({ "questions": [{ "question": "?", "options": ["a", "a"] }] })),
        ),
    ];
    for (field, ask) in asks {
        let answer = coder.post("/api/v1/proposals", &ask).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field, "{ask}");
    }
    let unknown = [
        ("urgent", with(change("a"), &json!({ "urgent": true }))),
        ("questions[0].options_", with(question("a"), &json!({ "questions": [{ "question": "?", "options_": [] }] }))),
    ];
    for (field, ask) in unknown {
        let answer = coder.post("/api/v1/proposals", &ask).await;
        answer.assert_problem(422, "unknown_field");
        assert_eq!(answer.json["field"], field, "{ask}");
    }
    assert_eq!(coder.get("/api/v1/proposals").await.body(200), json!({ "items": [], "next": null }));
}

#[tokio::test]
async fn the_risk_and_what_it_takes_are_frozen_when_it_is_asked() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    for (ask, risk) in [(change("a"), "medium"), (question("b"), "low"), (risky("c"), "high")] {
        let asked = coder.propose(&ask).await;
        let review = app.who("ben").get(&crate::support::proposals::review_at(&asked)).await.body(200);
        assert_eq!(review["risk"], risk, "{ask}");
    }
}

#[tokio::test]
async fn an_agent_lists_its_own_lane_newest_first_page_by_page() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let mut asked = Vec::new();
    for n in 0..5 {
        asked.push(coder.propose(&change(&format!("n {n}"))).await["id"].clone());
    }
    app.who("painter").propose(&change("elsewhere")).await;
    asked.reverse();
    let ids =
        |page: &Value| page["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect::<Vec<_>>();
    let first = coder.get("/api/v1/proposals?limit=2").await.body(200);
    assert_eq!(ids(&first), asked[..2]);
    let rest = format!("/api/v1/proposals?limit=200&before={}", first["next"].as_str().unwrap());
    let rest = coder.get(&rest).await.body(200);
    assert_eq!((ids(&rest), &rest["next"]), (asked[2..].to_vec(), &Value::Null));
    // The other agent of the lane sees them too; another status has none.
    assert_eq!(ids(&app.who("tester").get("/api/v1/proposals?status=pending").await.body(200)), asked);
    assert_eq!(ids(&coder.get("/api/v1/proposals?status=approved").await.body(200)), Vec::<Value>::new());
    for (field, query) in
        [("limit", "limit=0"), ("limit", "limit=201"), ("status", "status=open"), ("before", "before=x")]
    {
        let answer = coder.get(&format!("/api/v1/proposals?{query}")).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field);
    }
}
