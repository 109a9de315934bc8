//! A supervised lane's mail: one line wakes the agent, one retry, and then a person is told once.

use chrono::TimeDelta;
use serde_json::json;

use super::stage::{LINE, resting};
use crate::support::app::TestApp;
use crate::support::proposals::with;

#[tokio::test]
async fn one_line_covers_all_that_waits_and_the_inbox_delivers() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    let ben = app.who("ben");
    let (first, second) = (ben.mail("api", "one").await, ben.mail("api", "two").await);
    watcher.rest(&json!({})).await;
    let order = watcher.awaited().await;
    assert_eq!(
        (&order["kind"], &order["trigger"], &order["text"], &order["msg_ids"]),
        (&json!("nudge"), &json!("mail"), &json!(LINE), &json!([first, second]))
    );
    watcher.typed(&order).await;
    for id in [&first, &second] {
        let fate = app.fate(id).await;
        assert_eq!((fate.state.as_str(), fate.nudged, fate.read), ("queued", true, false), "a line delivers nothing");
    }
    app.nothing_for(&watcher).await;
    let acted = app.acted().await;
    assert_eq!(
        (acted.len(), &acted[0]["trigger"], &acted[0]["decision"], &acted[0]["outcome"], &acted[0]["policy_source"]),
        (1, &json!("mail"), &json!("nudge"), &json!("sent"), &json!(null))
    );
    let read = app.who("coder").inbox().await;
    assert_eq!((read.len(), &read[0]["body"], &read[1]["body"]), (2, &json!("one"), &json!("two")));
    let fate = app.fate(&first).await;
    assert_eq!((fate.state.as_str(), fate.delivered_by.as_deref(), fate.read), ("delivered", Some("inbox"), true));
    assert_eq!(app.told("mail.delivered").await, [json!({ "message_ids": [first, second], "by": "inbox" })]);
    assert_eq!(app.told("mail.read").await, [json!({ "message_ids": [first, second] })]);
}

#[tokio::test]
async fn a_skip_is_tried_again_after_thirty_seconds_and_then_given_up_with_one_attention() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let ben = app.who("ben");
    let (one, two) = (ben.mail("api", "one").await, ben.mail("api", "two").await);
    let order = watcher.awaited().await;
    watcher.skipped(&order, "dialog_present").await;
    app.advance(TimeDelta::seconds(10));
    watcher.rest(&json!({})).await;
    app.nothing_for(&watcher).await;
    app.advance(TimeDelta::seconds(20));
    watcher.rest(&json!({})).await;
    let again = watcher.awaited().await;
    assert_eq!((&again["kind"], &again["msg_ids"]), (&json!("nudge"), &json!([one, two])));
    assert!(app.needed().await.is_empty(), "not yet");
    watcher.failed(&again, "text_not_seen").await;
    app.tick().await;
    app.nothing_for(&watcher).await;
    for id in [&one, &two] {
        let fate = app.fate(id).await;
        assert_eq!((fate.state.as_str(), fate.attempts), ("failed", 2), "{fate:?}");
    }
    app.advance(TimeDelta::minutes(10));
    watcher.rest(&json!({})).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["mail_undelivered"], "once");
    let failed = app.told("mail.failed").await;
    assert_eq!((failed.len(), &failed[0]["message_ids"]), (1, &json!([one, two])));
    assert_eq!(app.acted().await.len(), 2, "a row for each try");
    // What comes later is a group of its own.
    let three = ben.mail("api", "three").await;
    let order = watcher.awaited().await;
    assert_eq!(order["msg_ids"], json!([three]));
    watcher.skipped(&order, "pane_in_mode").await;
    // An agent that reads it after all ends the matter.
    assert_eq!(app.who("coder").inbox().await.len(), 3);
    assert!(app.needed().await.is_empty());
    assert_eq!(app.fate(&one).await.state, "delivered");
    app.advance(TimeDelta::minutes(1));
    watcher.rest(&json!({})).await;
    app.nothing_for(&watcher).await;
}

#[tokio::test]
async fn a_pane_that_takes_no_text_gets_none_and_that_is_no_attempt() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    let id = app.who("ben").mail("api", "hello").await;
    app.nothing_for(&watcher).await;
    for differs in [
        json!({ "status": "working", "safe_to_type": false, "ended_turn": false }),
        json!({ "status": "blocked", "safe_to_type": false }),
        json!({ "status": "unknown", "safe_to_type": false }),
        json!({ "safe_to_type": false }),
        json!({ "limit": true }),
        json!({ "external": true }),
        // Whatever a client claims: only what rests takes text.
        json!({ "status": "working", "safe_to_type": true, "ended_turn": true }),
        json!({ "status": "blocked", "safe_to_type": true }),
    ] {
        watcher.rest(&differs).await;
        app.nothing_for(&watcher).await;
    }
    watcher.rest(&json!({})).await;
    app.advance(TimeDelta::seconds(31));
    assert_eq!(app.tick().await, 0, "a report of half a minute ago says nothing");
    assert_eq!(watcher.orders().await.len(), 0);
    let fate = app.fate(&id).await;
    assert_eq!((fate.state.as_str(), fate.attempts), ("queued", 0));
    watcher.rest(&json!({})).await;
    assert_eq!(watcher.awaited().await["msg_ids"], json!([id]));
}

#[tokio::test]
async fn one_pane_of_a_lane_gets_it_and_the_next_goes_there_too() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    let busy = with(resting(), &json!({ "status": "working", "safe_to_type": false }));
    watcher.pane("main.1", &busy).await;
    watcher.pane("main.2", &resting()).await;
    let ben = app.who("ben");
    ben.mail("api", "one").await;
    let order = watcher.awaited().await;
    assert_eq!(order["pane"], "main.2");
    watcher.typed(&order).await;
    app.who("coder").inbox().await;
    watcher.pane("main.1", &resting()).await;
    app.advance(TimeDelta::seconds(26));
    for key in ["main.1", "main.2"] {
        watcher.pane(key, &resting()).await;
    }
    ben.mail("api", "two").await;
    let order = watcher.awaited().await;
    assert_eq!(order["pane"], "main.2", "it stays with the agent that had the last");
    watcher.failed(&order, "interrupted").await;
    app.advance(TimeDelta::seconds(31));
    watcher.pane("main.2", &busy).await;
    watcher.pane("main.1", &resting()).await;
    app.nothing_for(&watcher).await;
    watcher.pane("main.2", &resting()).await;
    assert_eq!(watcher.awaited().await["pane"], "main.2", "what may have been typed there goes nowhere else");
}

#[tokio::test]
async fn the_same_line_is_not_ordered_where_its_client_would_refuse_it() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let ben = app.who("ben");
    ben.mail("api", "one").await;
    let order = watcher.awaited().await;
    watcher.typed(&order).await;
    let two = ben.mail("api", "two").await;
    app.advance(TimeDelta::seconds(8));
    watcher.rest(&json!({})).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.fate(&two).await.attempts, 0);
    app.advance(TimeDelta::seconds(18));
    watcher.rest(&json!({})).await;
    assert_eq!(watcher.awaited().await["msg_ids"], json!([two]));
}

#[tokio::test]
async fn one_order_at_a_time_however_many_servers_look() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({})).await;
    let other = TestApp::start_on(&app.database).await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let ben = app.who("ben");
    for round in 0..4 {
        ben.mail("api", &format!("mail {round}")).await;
        let mut made = 0;
        for _ in 0..3 {
            let (here, there) = tokio::join!(app.tick(), other.tick());
            made += here + there;
        }
        assert!(made <= 1, "round {round}: {made}");
        let order = watcher.awaited().await;
        watcher.typed(&order).await;
        app.advance(TimeDelta::seconds(26));
        other.advance(TimeDelta::seconds(26));
        watcher.rest(&json!({})).await;
    }
    assert_eq!(app.acted().await.len(), 4);
}
