//! Many at once: one dialog an instance, one row a hold, one lease and one row an order, whatever comes together.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{OUTSIDE, ROUTINE, refused, supervised};
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::dialog;
use crate::support::proposals::with;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_reports_of_one_instance_are_one_dialog_and_one_hold() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let seen = dialog(OUTSIDE);
    let answers = join_all((0..16).map(|_| watcher.post("/api/v1/dialogs", &seen))).await;
    let ids: HashSet<_> = answers.iter().map(|answer| answer.json["id"].to_string()).collect();
    assert_eq!(ids.len(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 201)));
    let acted = app.acted().await;
    assert_eq!(acted.len(), 1, "one row for the hold: {acted:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixteen_outcomes_of_one_order_are_one_row() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    refused(&app, &watcher).await;
    let order = watcher.order().await;
    let outcomes: Vec<Value> = (0..16)
        .map(|n| {
            if n % 2 == 0 {
                json!({ "outcome": "sent", "keys": ["3"] })
            } else {
                json!({ "outcome": "failed", "reason": "x" })
            }
        })
        .collect();
    let answers = join_all(outcomes.iter().map(|outcome| watcher.done(&order, outcome))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(409)), (8, 8), "whoever was first stands");
    let acted = app.acted().await;
    assert_eq!(acted.iter().filter(|row| row["order_id"] == order["id"]).count(), 1);
}

/// A policy change between many leases: each order is given out once or skipped once, and each skipped one is asked about
/// once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_lease_no_order_twice_while_the_policy_changes() {
    let here = supervised().await;
    let there = TestApp::start_on(&here.database).await;
    let (one, other) = (here.watcher().await, there.watcher().await);
    for n in 0..12 {
        let report = with(dialog(ROUTINE), &json!({ "pane": format!("p.{n}") }));
        assert_eq!(one.report(&report).await["verdict"], "auto_approve");
    }
    let off = json!({ "enabled": false });
    let (ours, theirs, _) = tokio::join!(
        join_all((0..4).map(|_| taken_now(&one))),
        join_all((0..4).map(|_| taken_now(&other))),
        here.set_policy(&off),
    );
    let given: Vec<String> = ours.into_iter().chain(theirs).flatten().collect();
    let distinct: HashSet<_> = given.iter().collect();
    assert_eq!(distinct.len(), given.len(), "an order was given out twice");
    taken_now(&one).await;
    let acted = here.acted().await;
    let skipped = acted.iter().filter(|row| row["outcome"] == "skipped").count();
    let held = acted.iter().filter(|row| row["outcome"] == "held").count();
    assert_eq!((skipped + given.len(), held), (12, skipped), "each is given out or asked about");
}

/// The orders that this answer leased: not those that were taken before.
async fn taken_now(client: &Client) -> Vec<String> {
    let orders = client.orders().await;
    orders.iter().filter(|order| order["taken"] == false).map(|order| order["id"].to_string()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_and_a_close_at_once_leave_one_end() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    for _ in 0..8 {
        let held = watcher.report(&dialog(OUTSIDE)).await;
        let ruling = json!({ "outcome": "rejected" });
        let (decided, closed) = tokio::join!(ben.rule(&held, &ruling), watcher.gone(&held, "vanished"));
        closed.assert_status(200);
        let after = watcher.see(&held).await;
        match decided.status {
            200 => assert_eq!(after["status"], "rejected"),
            409 => assert_eq!(after["status"], "withdrawn"),
            other => panic!("{other}: {}", decided.text),
        }
        assert_eq!(watcher.orders().await, Vec::<Value>::new(), "nothing is pressed on a dialog that is gone");
    }
}
