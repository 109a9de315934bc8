//! Orders: leased for a minute, reported once, tried again while that helps, and a person asked when it does not.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::{OUTSIDE, ROUTINE, refused, supervised};
use crate::support::app::TestApp;
use crate::support::panes::dialog;
use crate::support::proposals::review_at;

fn skipped(reason: &str) -> Value {
    json!({ "outcome": "skipped", "reason": reason })
}

#[tokio::test]
async fn the_first_report_stands_and_the_same_again_is_no_error() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let (_, held) = refused(&app, &watcher).await;
    let order = watcher.order().await;
    let failed = json!({ "outcome": "failed", "reason": "interrupted", "keys": ["3"] });
    for _ in 0..3 {
        assert_eq!(watcher.done(&order, &failed).await.body(200)["late"], false);
    }
    for other in [
        json!({ "outcome": "sent", "keys": ["3"] }),
        json!({ "outcome": "failed", "reason": "other", "keys": ["3"] }),
        json!({ "outcome": "failed", "reason": "interrupted" }),
    ] {
        let refused = watcher.done(&order, &other).await;
        refused.assert_problem(409, "outcome_differs");
        assert_eq!(refused.json["stands"]["outcome"], "failed");
    }
    let acted = app.acted().await;
    assert_eq!(acted.iter().filter(|row| row["order_id"] == order["id"]).count(), 1);
    assert_eq!(app.who("ben").get(&review_at(&held)).await.body(200)["receipts"]["executed"], "failed");
    for (report, field) in [
        (json!({ "outcome": "skipped", "reason": "tired" }), "reason"),
        (json!({ "outcome": "skipped" }), "reason"),
        (json!({ "outcome": "failed" }), "reason"),
        (json!({ "outcome": "sent", "keys": vec!["1"; 40] }), "keys"),
        (json!({ "outcome": "done" }), "outcome"),
    ] {
        let refused = watcher.done(&order, &report).await;
        refused.assert_problem(422, "invalid");
        assert_eq!(refused.json["field"], field);
    }
}

#[tokio::test]
async fn another_clients_order_and_dialog_are_not_there() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let secret = app.pane_secret("other", &["api"]).await;
    let other = app.exchanged(&app.anonymous().with_token(&secret)).await;
    let (seen, held) = refused(&app, &watcher).await;
    assert_eq!(other.orders().await, Vec::<Value>::new());
    let order = watcher.order().await;
    other.done(&order, &json!({ "outcome": "sent" })).await.assert_problem(404, "not_found");
    other.gone(&held, "vanished").await.assert_problem(404, "not_found");
    other.get(&crate::support::panes::dialog_at(&held)).await.assert_problem(404, "not_found");
    let crossed = "select count(*) from events where kind = 'access.refused' and actor = 'pane-client:other'";
    let mut conn = crate::support::cluster::connect(&app.database).await;
    let crossed: i64 = sqlx::query_scalar(crossed).fetch_one(&mut conn).await.unwrap();
    assert_eq!(crossed, 1, "the journal has it, once a minute");
    // An instance is its client's own.
    assert_ne!(other.report(&seen).await["id"], held["id"]);
    let elsewhere = crate::support::proposals::with(dialog(OUTSIDE), &json!({ "lane": "web" }));
    other.post("/api/v1/dialogs", &elsewhere).await.assert_problem(404, "not_found");
}

#[tokio::test]
async fn an_order_that_is_not_reported_counts_as_failed_and_what_comes_late_changes_nothing() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let (seen, held) = refused(&app, &watcher).await;
    let order = watcher.order().await;
    app.advance(TimeDelta::seconds(59));
    assert_eq!(watcher.order().await["taken"], true);
    app.advance(TimeDelta::seconds(1));
    let raised = phone.next_raised("no_report").await;
    assert_eq!(raised["data"]["of"], held["id"]);
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    let sent = json!({ "outcome": "sent", "keys": ["3"] });
    for _ in 0..2 {
        let late = watcher.done(&order, &sent).await.body(200);
        assert_eq!(
            (&late["late"], &late["outcome"], &late["reason"]),
            (&json!(true), &json!("failed"), &json!("no_report"))
        );
    }
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "x" })).await.assert_problem(409, "outcome_differs");
    let acted = app.acted().await;
    let rows: Vec<_> = acted.iter().filter(|row| row["order_id"] == order["id"]).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("failed"), &json!("no_report")));
    // It went away after all: nobody has to look, and nothing is asked anew.
    assert_eq!(phone.next_cleared("no_report").await["data"]["of"], held["id"]);
    assert_eq!(watcher.report_again(&seen).await["id"], held["id"]);
}

#[tokio::test]
async fn a_failed_answer_is_never_pressed_again_unasked() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let seen = dialog(ROUTINE);
    let answered = watcher.report(&seen).await;
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "still there" })).await.assert_status(200);
    let raised = phone.next_raised("order_failed").await;
    assert_eq!(raised["data"]["of"], answered["id"]);
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    // Still seen: a person is asked, though the policy would answer.
    let now = watcher.report_again(&seen).await;
    assert_ne!(now["id"], answered["id"]);
    assert_eq!(
        (&now["status"], &now["verdict"], &now["reasons"][0]["code"]),
        (&json!("pending"), &json!("hold"), &json!("answer_failed"))
    );
    assert_eq!(now["would"]["verdict"], "auto_approve");
    assert_eq!(watcher.report_again(&seen).await["id"], now["id"]);
    assert_eq!(app.who("ben").get(&review_at(&now)).await.body(200)["replaces"], answered["id"]);
    app.who("ben").rule(&now, &json!({ "outcome": "approved" })).await.assert_status(200);
    assert_eq!(phone.next_cleared("order_failed").await["data"]["of"], answered["id"]);
    let order = watcher.order().await;
    assert_eq!(order["dialog_id"], now["id"]);
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["1"] })).await.assert_status(200);
}

#[tokio::test]
async fn a_skip_that_can_pass_is_tried_again_five_times_and_then_a_person_looks() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let (seen, held) = refused(&app, &watcher).await;
    let mut orders = Vec::new();
    for (attempt, reason) in
        ["pane_in_mode", "capture_timeout", "capture_failed", "not_idle", "pane_in_mode"].into_iter().enumerate()
    {
        let order = watcher.order().await;
        watcher.done(&order, &skipped(reason)).await.assert_status(200);
        orders.push(order["id"].clone());
        assert_eq!(watcher.orders().await, Vec::<Value>::new(), "not before the same dialog is seen again");
        if attempt == 4 {
            break;
        }
        let again = watcher.report_again(&seen).await;
        assert_eq!((&again["id"], &again["status"]), (&held["id"], &json!("rejected")));
        assert_eq!(watcher.report_again(&seen).await["order"]["id"], again["order"]["id"], "one at a time");
        assert_eq!(watcher.orders().await, Vec::<Value>::new(), "it backs off");
        app.advance(TimeDelta::seconds(1 << attempt));
    }
    let raised = phone.next_raised("order_skipped").await;
    assert_eq!(raised["data"]["of"], held["id"]);
    let now = watcher.report_again(&seen).await;
    assert_eq!((&now["status"], &now["reasons"][0]["code"]), (&json!("pending"), &json!("answer_skipped")));
    assert_ne!(now["id"], held["id"]);
    let acted = app.acted().await;
    for order in &orders {
        assert_eq!(acted.iter().filter(|row| row["order_id"] == *order).count(), 1);
    }
    assert_eq!(acted.len(), 5 + 2, "five orders and two holds");
}

#[tokio::test]
async fn a_changed_screen_voids_the_decision() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let (seen, held) = refused(&app, &watcher).await;
    let order = watcher.order().await;
    watcher.done(&order, &skipped("state_changed")).await.assert_status(200);
    let again = watcher.report_again(&seen).await;
    assert_eq!((&again["id"], &again["order"]), (&held["id"], &Value::Null), "the instance has ended");
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    assert_eq!(app.who("ben").get(&review_at(&held)).await.body(200)["receipts"]["executed"], "void");
    let next = watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!(next["status"], "pending", "what is there now is a proposal of its own");
}

#[tokio::test]
async fn orders_come_oldest_first() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let mut expected = Vec::new();
    for pane in ["one", "two", "three"] {
        let report = crate::support::proposals::with(dialog(OUTSIDE), &json!({ "pane": pane }));
        let held = watcher.report(&report).await;
        app.who("ben").rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
        expected.push(held["id"].clone());
        app.advance(TimeDelta::milliseconds(2));
    }
    let given: Vec<_> = watcher.orders().await.iter().map(|order| order["dialog_id"].clone()).collect();
    assert_eq!(given, expected);
    watcher.get("/api/v1/orders?wait=46").await.assert_problem(422, "invalid");
}
