//! Between an order and its lease: the policy, the pause, the inbox, a client that goes, a server that ends.

use chrono::TimeDelta;
use serde_json::json;

use super::stage::{LINE, resting};
use crate::support::app::TestApp;
use crate::support::proposals::with;

#[tokio::test]
async fn a_policy_that_changes_before_the_lease_takes_the_order_back() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let id = app.who("ben").mail("api", "hello").await;
    app.ordered().await;
    app.set_policy(&json!({ "lane": "api", "mail_mode": "full_body" })).await;
    let order = watcher.awaited().await;
    assert_eq!((&order["kind"], &order["msg_ids"]), (&json!("mail"), &json!([id])));
    let acted = app.acted().await;
    assert_eq!(
        (acted.len(), &acted[0]["outcome"], &acted[0]["reason"]),
        (1, &json!("skipped"), &json!("policy_changed"))
    );
    assert_eq!(app.fate(&id).await.attempts, 0, "no pane was tried");
}

#[tokio::test]
async fn the_master_switch_between_order_and_lease_makes_it_another_order() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    app.who("ben").mail("api", "hello").await;
    app.ordered().await;
    app.set_policy(&json!({ "enabled": false })).await;
    let order = watcher.awaited().await;
    assert_eq!(order["kind"], "mail", "a lane that nobody supervises has its mail typed");
    watcher.typed(&order).await;
    app.nothing_for(&watcher).await;
}

#[tokio::test]
async fn what_is_read_before_the_lease_is_not_typed() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    app.who("ben").mail("api", "hello").await;
    app.ordered().await;
    assert_eq!(app.who("coder").inbox().await.len(), 1);
    app.nothing_for(&watcher).await;
    assert_eq!(app.acted().await[0]["reason"], "state_changed");
}

#[tokio::test]
async fn while_everything_is_paused_nothing_is_ordered_and_nothing_taken() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 1 })).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    app.who("ben").mail("api", "one").await;
    app.ordered().await;
    app.who("ada").post("/api/v1/pause", &json!({ "reason": "stop" })).await.assert_status(200);
    assert!(watcher.orders().await.is_empty());
    app.who("ben").mail("web", "two").await;
    watcher.pane("main.2", &with(resting(), &json!({ "lane": "web" }))).await;
    app.nothing_for(&watcher).await;
    app.machine().delete("/api/v1/pause").await.assert_status(200);
    assert_eq!(watcher.awaited().await["text"], LINE);
}

#[tokio::test]
async fn an_order_whose_client_is_gone_goes_to_another_pane() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let id = app.who("ben").mail("api", "hello").await;
    app.ordered().await;
    app.advance(TimeDelta::seconds(31));
    watcher.pane("other.1", &resting()).await;
    let order = watcher.awaited().await;
    assert_eq!((&order["pane"], &order["msg_ids"]), (&json!("other.1"), &json!([id])));
    assert_eq!((app.fate(&id).await.attempts, app.acted().await.len()), (0, 1));
}

#[tokio::test]
async fn a_restart_forgets_neither_queue_nor_tries() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let id = app.who("ben").mail("api", "hello").await;
    let order = watcher.awaited().await;
    watcher.skipped(&order, "capture_failed").await;
    let app = app.restart().await;
    let watcher = app.watcher().await;
    app.nothing_for(&watcher).await;
    app.advance(TimeDelta::seconds(31));
    watcher.rest(&json!({})).await;
    let again = watcher.awaited().await;
    watcher.skipped(&again, "capture_failed").await;
    let app = app.restart().await;
    // A restart's clock is the database's again.
    app.advance(TimeDelta::minutes(1));
    for _ in 0..3 {
        app.tick().await;
    }
    assert_eq!(
        (app.fate(&id).await.state, app.needed().await),
        ("failed".to_owned(), vec!["mail_undelivered".to_owned()])
    );
}
