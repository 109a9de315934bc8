//! What archives, what is given again, and for how long: the reply that told the agent may have been lost.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::mcp::Told;
use crate::support::proposals::change;

/// A proposal over MCP, decided.
async fn decided(app: &TestApp, title: &str, outcome: &str) -> Told {
    let told = app.who("coder").put_forward(&change(title)).await;
    app.who("ben").decide(&app.who("coder").look(&json!({ "id": told.id() })).await, outcome).await.assert_status(200);
    told
}

async fn archived(app: &TestApp, told: &Told) -> usize {
    let journal = app.journal_of(&json!({ "id": told.id() })).await;
    let rows: Vec<_> = journal.into_iter().filter(|(kind, _)| kind == "proposal.archived").collect();
    assert!(rows.iter().all(|(_, actor)| actor == "agent:coder"), "{rows:?}");
    rows.len()
}

async fn set(app: &TestApp, settings: Value) {
    app.machine().patch("/api/v1/settings", &settings).await.assert_status(200);
}

#[tokio::test]
async fn a_look_archives_once_and_the_decision_is_given_again_for_a_while() {
    let app = TestApp::peopled().await;
    let there = TestApp::start_on(&app.database).await;
    for outcome in ["approved", "rejected"] {
        let told = decided(&app, outcome, outcome).await;
        assert_eq!(archived(&app, &told).await, 0, "nobody has taken it");
        let first = app.who("coder").check(told.id()).await;
        assert_eq!(first.status(), outcome);
        assert_eq!(archived(&app, &told).await, 1);
        let again = there.who("coder").check(told.id()).await;
        assert_eq!((&again.data, &again.text), (&first.data, &first.text));
        assert_eq!(archived(&app, &told).await, 1);
    }
    let told = decided(&app, "later", "approved").await;
    app.who("coder").check(told.id()).await;
    app.advance(TimeDelta::seconds(599));
    assert_eq!(app.who("coder").check(told.id()).await.status(), "approved");
    app.advance(TimeDelta::seconds(2));
    let said = app.who("coder").check(told.id()).await;
    assert_eq!((said.status(), said.is_error), ("unknown", true));
    // Over REST it is what it was: nothing is lost, only not offered again.
    assert_eq!(app.who("coder").look(&json!({ "id": told.id() })).await["status"], "approved");
}

#[tokio::test]
async fn with_no_redelivery_the_second_look_is_told_nothing() {
    let app = TestApp::peopled().await;
    set(&app, json!({ "redelivery_secs": 0 })).await;
    let told = decided(&app, "strict", "approved").await;
    assert_eq!(app.who("coder").check(told.id()).await.status(), "approved");
    assert_eq!(app.who("coder").check(told.id()).await.status(), "unknown");
    // A decision nobody has taken is not given for the same content either: the strict rule knows no repeats.
    let told = decided(&app, "twice", "approved").await;
    let again = app.who("coder").put_forward(&change("twice")).await;
    assert_ne!((again.id(), again.status()), (told.id(), "approved"));
}

#[tokio::test]
async fn two_servers_hand_a_decision_over_once_under_the_strict_rule() {
    let app = TestApp::peopled().await;
    let there = TestApp::start_on(&app.database).await;
    set(&app, json!({ "redelivery_secs": 0 })).await;
    // The other server has read its settings anew.
    there.machine().patch("/api/v1/settings", &json!({ "redelivery_secs": 0 })).await.assert_status(200);
    for n in 0..8 {
        let told = decided(&app, &format!("race {n}"), "approved").await;
        let (here, coder) = (app.who("coder"), there.who("coder"));
        let (one, other) = tokio::join!(here.check(told.id()), coder.check(told.id()));
        let mut statuses = [one.status(), other.status()];
        statuses.sort_unstable();
        assert_eq!(statuses, ["approved", "unknown"]);
        assert_eq!(archived(&app, &told).await, 1);
    }
}

#[tokio::test]
async fn a_decision_that_never_reached_the_agent_answers_the_same_content() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let told = decided(&app, "lost", "rejected").await;
    let again = coder.put_forward(&change("lost")).await;
    assert_eq!((again.id(), again.status(), again.is_error), (told.id(), "rejected", true));
    assert_eq!(archived(&app, &told).await, 1, "now it has");
    // From here on the same content is a new question.
    let new = coder.put_forward(&change("lost")).await;
    assert_eq!(new.status(), "pending");
    assert_ne!(new.id(), told.id());

    let old = decided(&app, "old", "approved").await;
    app.advance(TimeDelta::seconds(601));
    assert_ne!(coder.put_forward(&change("old")).await.id(), old.id());

    let acked = decided(&app, "acked", "approved").await;
    coder.ack(&json!({ "id": acked.id() })).await.assert_status(204);
    assert_ne!(coder.put_forward(&change("acked")).await.id(), acked.id());
}

#[tokio::test]
async fn a_key_means_what_it_says_and_nothing_more() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let told = decided(&app, "keyed", "approved").await;
    let mut ask = change("keyed");
    ask["idempotency_key"] = json!("a new one");
    assert_ne!(coder.put_forward(&ask).await.id(), told.id());
    // REST's own answer archives nothing, so a look over MCP still finds it, however late.
    let asked = coder.propose(&change("by rest")).await;
    app.who("ben").decide(&asked, "approved").await.assert_status(200);
    coder.look(&asked).await;
    app.advance(TimeDelta::days(30));
    assert_eq!(coder.check(asked["id"].as_str().unwrap()).await.status(), "approved");
}
