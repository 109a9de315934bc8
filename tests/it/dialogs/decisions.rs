//! What a person may answer a dialog, and which row that presses.

use serde_json::{Value, json};

use super::OUTSIDE;
use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::panes::dialog;
use crate::support::proposals::{review_at, with};

#[tokio::test]
async fn a_row_is_named_where_none_was_found_and_never_a_standing_one() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let options = json!([{ "n": 1, "text": "Use Postgres" }, { "n": 2, "text": "Use SQLite" }, { "n": 3, "text": "Always allow" }]);
    let choice = json!({ "kind": "decision", "title": "Which database?", "command": null, "options": options });
    let held = watcher.report(&with(dialog(OUTSIDE), &choice)).await;
    assert_eq!((&held["would"]["policy_source"], &held["option"]), (&json!("decision_class"), &Value::Null), "{held}");
    let review = ben.get(&review_at(&held)).await.body(200);
    let standing: Vec<_> = review["options"].as_array().unwrap().iter().map(|row| row["standing"].clone()).collect();
    assert_eq!(standing, [json!(false), json!(false), json!(true)]);

    let decide = async |ruling: Value| ben.rule(&held, &ruling).await;
    let missing = decide(json!({ "outcome": "approved", "note": "Yes." })).await;
    missing.assert_problem(422, "invalid");
    assert_eq!(missing.json["field"], "option");
    let standing = decide(json!({ "outcome": "approved", "note": "Yes.", "option": 3 })).await;
    standing.assert_problem(422, "standing_option");
    assert!(standing.json["detail"].as_str().unwrap().contains("terminal"));
    decide(json!({ "outcome": "approved", "note": "Yes.", "option": 9 })).await.assert_problem(422, "invalid");
    decide(json!({ "outcome": "modified", "body": "x" })).await.assert_problem(422, "not_modifiable");
    let decided = decide(json!({ "outcome": "approved", "note": "Yes.", "option": 2 })).await.body(200);
    assert_eq!(decided["decision"]["option"], json!({ "n": 2, "text": "Use SQLite" }));
    // The same answer again is no error, another row is another answer.
    decide(json!({ "outcome": "approved", "note": "Yes.", "option": 2 })).await.assert_status(200);
    decide(json!({ "outcome": "approved", "note": "Yes.", "option": 1 })).await.assert_problem(409, "already_decided");
    let order = watcher.order().await;
    assert_eq!((&order["option"]["n"], &order["deny"]), (&json!(2), &json!(false)));
}

#[tokio::test]
async fn a_refusal_presses_the_row_that_refuses_or_says_that_nothing_was_pressed() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let held = watcher.report(&dialog(OUTSIDE)).await;
    ben.rule(&held, &json!({ "outcome": "rejected", "option": 1 })).await.assert_problem(422, "invalid");
    ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let order = watcher.order().await;
    assert_eq!((&order["option"]["n"], &order["deny"]), (&json!(3), &json!(true)));
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["3"] })).await.assert_status(200);
    assert_eq!(app.acted().await.last().unwrap()["decision"], "deny");

    let mut phone = app.phone_of(&ben).await;
    let yes_only = json!([{ "n": 1, "text": "Yes" }, { "n": 2, "text": "Maybe later" }]);
    let held = watcher.report(&with(dialog(OUTSIDE), &json!({ "options": yes_only }))).await;
    let decided = ben.rule(&held, &json!({ "outcome": "rejected", "note": "No." })).await.body(200);
    assert_eq!((&decided["status"], &decided["decision"]["option"]), (&json!("rejected"), &Value::Null));
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    let raised = phone.next_raised("no_deny_row").await;
    assert_eq!(raised["data"]["of"], held["id"]);
    // Somebody has seen to it at the terminal.
    watcher.gone(&held, "answered_locally").await.assert_status(200);
    assert_eq!(phone.next_cleared("no_deny_row").await["data"]["of"], held["id"]);
}

#[tokio::test]
async fn classes_of_a_grant_and_the_risk_count_for_dialogs() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let grant = json!({ "role": "approver", "scope": "global", "classes": ["command_exec"] });
    let user = json!({ "name": "mia", "password": PASSWORD, "grant": grant });
    app.machine().post("/api/v1/users", &user).await.assert_status(201);
    let mia = app.anonymous().sign_in("mia", PASSWORD).await;
    let network = watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!((&network["class"], &network["risk"]), (&json!("network_access"), &json!("medium")));
    let denied = mia.rule(&network, &json!({ "outcome": "approved" })).await;
    denied.assert_problem(403, "forbidden");
    assert!(denied.json["why"].as_str().unwrap().contains("network_access"));
    let command = watcher.report(&with(dialog("make unknown-thing"), &json!({ "pane": "two" }))).await;
    assert_eq!(command["class"], "command_exec");
    mia.rule(&command, &json!({ "outcome": "approved" })).await.assert_status(200);

    // High risk: a fresh password and a reason.
    let push = watcher.report(&with(dialog("git push origin main"), &json!({ "pane": "three" }))).await;
    assert_eq!(push["risk"], "high");
    let ben = app.anonymous().sign_in("ben", PASSWORD).await;
    ben.rule(&push, &json!({ "outcome": "approved" })).await.assert_problem(422, "reason_required");
    app.advance(chrono::TimeDelta::minutes(6));
    let stale = ben.rule(&push, &json!({ "outcome": "approved", "note": "Release." })).await;
    stale.assert_problem(403, "reauth_required");
}

#[tokio::test]
async fn the_policy_may_ask_for_a_reason_for_every_approval() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    app.set_policy(&json!({ "require_reason": true })).await;
    let held = watcher.report(&dialog("make unknown-thing")).await;
    let ben = app.who("ben");
    ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_problem(422, "reason_required");
    ben.rule(&held, &json!({ "outcome": "approved", "note": "Known." })).await.assert_status(200);
}

#[tokio::test]
async fn an_approver_of_another_lane_sees_and_decides_none_of_it() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let held = watcher.report(&dialog(OUTSIDE)).await;
    let lin = app.who("lin");
    lin.get(&review_at(&held)).await.assert_problem(404, "not_found");
    lin.rule(&held, &json!({ "outcome": "rejected" })).await.assert_problem(404, "not_found");
    app.who("vic").rule(&held, &json!({ "outcome": "rejected" })).await.assert_problem(403, "forbidden");
    let own = watcher.report(&with(dialog(OUTSIDE), &json!({ "lane": "web", "pane": "w" }))).await;
    lin.rule(&own, &json!({ "outcome": "rejected" })).await.assert_status(200);
}

#[tokio::test]
async fn a_hold_that_nobody_may_decide_says_so() {
    let app = TestApp::peopled().await;
    let (watcher, machine) = (app.watcher().await, app.machine());
    let mut phone = app.phone_of(&app.who("vic")).await;
    // The admin may; so an admin without the class, and no other approver, is what it takes.
    machine.delete("/api/v1/users/ben").await.assert_status(204);
    let before = watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!(before["status"], "pending");
    watcher.gone(&before, "vanished").await.assert_status(200);
    let mut conn = crate::support::cluster::connect(&app.database).await;
    let limited = "update grants set classes = array['change'] where role = 'admin'";
    sqlx::query(limited).execute(&mut conn).await.unwrap();
    let held = watcher.report(&with(dialog(OUTSIDE), &json!({ "pane": "two" }))).await;
    let raised = phone.next_raised("no_approver").await;
    assert_eq!(raised["data"]["of"], held["id"]);
    let page = app.who("vic").get("/lanes/api").await;
    assert!(page.text.contains("Nobody may decide this"), "the lane's page says so");
    watcher.gone(&held, "vanished").await.assert_status(200);
    assert!(!app.who("vic").get("/lanes/api").await.text.contains("Nobody may decide this"));
}
