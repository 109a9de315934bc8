//! Each cause is raised once and cleared in every way in which it can be over.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::{assert_balanced, causes, id, open, rows};
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::{dialog, fresh_instance};
use crate::support::proposals::{change, with};

/// Held: it leaves the repository.
const OUTSIDE: &str = "cat ../secret";

async fn pane(watcher: &Client, key: &str, drift: &Value) {
    let body = json!({
        "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": "idle", "safe_to_type": false,
        "awaiting_input": false, "ended_turn": true, "limit": false, "external": false, "drift": drift,
    });
    let put = watcher.request(Method::PUT, &format!("/api/v1/panes/{key}")).json(&body);
    watcher.send(put).await.assert_status(204);
}

#[tokio::test]
async fn a_held_dialog_needs_somebody_until_it_is_decided() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let seen = dialog(OUTSIDE);
    let held = watcher.report(&seen).await;
    watcher.report_again(&seen).await;
    let raised = phone.next_raised("held").await;
    assert_eq!((&raised["lane"], &raised["data"]["of"]), (&json!("api"), &held["id"]));
    assert!(!raised["data"].to_string().contains("secret"), "no word of the agent's: {raised}");
    assert_eq!(open(&app).await, [("held".to_owned(), Some(id(&held)))]);
    ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let cleared = phone.next_cleared("held").await;
    assert_eq!(
        (&cleared["data"]["attention_id"], &cleared["data"]["of"]),
        (&raised["data"]["attention_id"], &held["id"])
    );
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn what_closes_a_dialog_without_a_decision_clears_it() {
    let app = TestApp::peopled().await;
    let (watcher, machine) = (app.watcher().await, app.machine());
    for reason in ["answered_locally", "vanished", "changed"] {
        let held = watcher.report(&dialog(OUTSIDE)).await;
        assert_eq!(causes(&app).await, ["held"], "{reason}");
        watcher.gone(&held, reason).await.assert_status(200);
        assert_eq!(causes(&app).await, Vec::<String>::new(), "{reason}");
    }
    // Another dialog on the same screen takes its place.
    watcher.report(&dialog(OUTSIDE)).await;
    let next = watcher.report(&dialog("cat ../other")).await;
    assert_eq!(open(&app).await, [("held".to_owned(), Some(id(&next)))]);
    // Whoever watched it is gone, and so is the lane.
    machine.delete("/api/v1/pane-clients/watcher").await.assert_status(204);
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn a_lane_that_is_removed_needs_nobody() {
    let app = TestApp::peopled().await;
    let (watcher, machine) = (app.watcher().await, app.machine());
    watcher.report(&dialog(OUTSIDE)).await;
    pane(&watcher, "main.1", &json!("❯ 1. Engage\n  2. Retreat")).await;
    assert_eq!(causes(&app).await, ["drift", "held"]);
    for agent in ["coder", "tester"] {
        machine.delete(&format!("/api/v1/agents/{agent}")).await.assert_status(204);
    }
    machine.delete("/api/v1/lanes/api").await.assert_status(204);
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn a_failed_answer_needs_somebody_in_one_place() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let seen = dialog(OUTSIDE);
    let held = watcher.report(&seen).await;
    ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "still there" })).await.assert_status(200);
    assert_eq!(open(&app).await, [("order_failed".to_owned(), Some(id(&held)))]);
    // It is still there and asked anew: that is the one thing to see to now.
    let again = watcher.report_again(&seen).await;
    assert_eq!(open(&app).await, [("held".to_owned(), Some(id(&again)))]);
    ben.rule(&again, &json!({ "outcome": "rejected" })).await.assert_status(200);
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn what_nobody_may_decide_finds_somebody() {
    let app = TestApp::peopled().await;
    let (watcher, machine) = (app.watcher().await, app.machine());
    let mut conn = crate::support::cluster::connect(&app.database).await;
    let limited = "update grants set classes = array['change']";
    sqlx::query(limited).execute(&mut conn).await.unwrap();
    watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!(causes(&app).await, ["held", "no_approver"]);
    let grant = |class: &str| json!({ "role": "approver", "scope": "lane:api", "classes": [class] });
    machine.post("/api/v1/users/ben/grants", &grant("question")).await.assert_status(201);
    assert_eq!(causes(&app).await, ["held", "no_approver"], "that one may not either");
    let whole = json!({ "role": "approver", "scope": "lane:api" });
    machine.post("/api/v1/users/ben/grants", &whole).await.assert_status(201);
    assert_eq!(causes(&app).await, ["held"]);
    assert_balanced(&app).await;
}

#[tokio::test]
async fn who_may_decide_goes_while_a_dialog_waits_and_somebody_is_told_each_time() {
    let app = TestApp::peopled().await;
    let (watcher, machine) = (app.watcher().await, app.machine());
    let mut conn = crate::support::cluster::connect(&app.database).await;
    sqlx::query("update grants set classes = array['change']").execute(&mut conn).await.unwrap();
    let grant = json!({ "role": "approver", "scope": "lane:api", "expires_days": 1 });
    let mut ada = app.phone_of(&app.who("ada")).await;
    machine.post("/api/v1/users/ben/grants", &grant).await.assert_status(201);
    let held = watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!(causes(&app).await, ["held"]);
    let soon = "update grants set expires_at = clock_timestamp() + interval '5 s' where expires_at is not null";
    sqlx::query(soon).execute(&mut conn).await.unwrap();
    app.advance(TimeDelta::seconds(6));
    let told = ada.next_raised("no_approver").await;
    assert_eq!(told["data"]["of"], held["id"], "the grant has ended");
    let given = machine.post("/api/v1/users/ben/grants", &grant).await.body(201);
    ada.next_cleared("no_approver").await;
    machine.delete(&format!("/api/v1/grants/{}", id(&given))).await.assert_status(204);
    ada.next_raised("no_approver").await;
    assert_eq!(rows(&app, "needs_you.raised").await, 3, "the dialog once, and each time that nobody was left");
    machine.post("/api/v1/users/ben/grants", &grant).await.assert_status(201);
    app.who("ben").rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn whoever_has_missed_events_reads_what_is_needed() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let held = watcher.report(&dialog(OUTSIDE)).await;
    let listed = async |who: &str| app.who(who).get("/api/v1/attentions").await.body(200)["items"].clone();
    assert_eq!(listed("ben").await, json!([]), "that one is a review");
    ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "still there" })).await.assert_status(200);
    let items = listed("ben").await;
    let one = &items[0];
    assert_eq!(
        (&one["lane"], &one["cause"], &one["head"], &one["proposal_id"]),
        (&json!("api"), &json!("order_failed"), &json!("An answer may not have worked"), &held["id"])
    );
    assert_eq!(items.as_array().unwrap().len(), 1);
    assert!(one["detail"].as_str().is_some_and(|said| !said.is_empty()) && one["raised_at"].is_string(), "{one}");
}

#[tokio::test]
async fn an_unknown_menu_is_an_episode_for_as_long_as_it_is_there() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let menu = json!("❯ 1. Engage\n  2. Retreat");
    for _ in 0..3 {
        pane(&watcher, "main.1", &menu).await;
    }
    pane(&watcher, "main.2", &menu).await;
    assert_eq!(causes(&app).await, ["drift", "drift"], "one a pane");
    pane(&watcher, "main.2", &Value::Null).await;
    pane(&watcher, "main.1", &json!("another\nmenu")).await;
    assert_eq!(
        (causes(&app).await.len(), rows(&app, "needs_you.raised").await),
        (1, 3),
        "another menu, another episode"
    );
    pane(&watcher, "main.1", &menu).await;
    assert_eq!((causes(&app).await.len(), rows(&app, "needs_you.raised").await), (1, 4), "it has come back");
    // Nobody looks any more, so nobody knows; and it begins anew when somebody does.
    let mut phone = app.phone_of(&app.who("ben")).await;
    app.advance(TimeDelta::seconds(31));
    phone.next_cleared("drift").await;
    assert_eq!(causes(&app).await, Vec::<String>::new());
    pane(&watcher, "main.1", &menu).await;
    assert_eq!(causes(&app).await, ["drift"]);
    let raised = phone.next_raised("drift").await;
    assert!(!raised.to_string().contains("Engage"), "the screen's words stay with the pane: {raised}");
    app.machine().delete("/api/v1/pane-clients/watcher").await.assert_status(204);
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn in_a_restored_database_nobody_is_needed_for_what_is_void() {
    let app = TestApp::peopled().await;
    app.watcher().await.report(&dialog(OUTSIDE)).await;
    assert_eq!(causes(&app).await, ["held"]);
    let mut conn = crate::support::cluster::connect(&app.database).await;
    sqlx::query("update instance set system_identifier = '1'").execute(&mut conn).await.unwrap();
    let app = app.restart().await;
    assert_eq!(causes(&app).await, Vec::<String>::new());
    assert_balanced(&app).await;
}

#[tokio::test]
async fn changes_and_questions_wait_by_themselves() {
    let app = TestApp::peopled().await;
    app.who("coder").propose(&change("Round up")).await;
    assert_eq!((causes(&app).await, rows(&app, "needs_you.raised").await), (Vec::new(), 0));
}

#[tokio::test]
async fn reports_of_one_dialog_at_once_raise_one_episode() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let seen = with(dialog(OUTSIDE), &json!({ "instance": fresh_instance() }));
    let posts = (0..8).map(|_| watcher.post("/api/v1/dialogs", &seen));
    let answers = futures_util::future::join_all(posts).await;
    assert!(answers.iter().all(|answer| answer.json["id"] == answers[0].json["id"]));
    assert_eq!(causes(&app).await, ["held"]);
    assert_balanced(&app).await;
}
