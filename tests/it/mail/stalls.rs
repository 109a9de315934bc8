//! Stalls: nudged at once, again after five minutes, escalated once; what counts as still, and what as a sign of life.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::stage::LINE;
use crate::support::app::TestApp;
use crate::support::client::Client;

/// The service's time.
pub fn now(app: &TestApp) -> DateTime<Utc> {
    app.state.clock.now()
}

/// A pane on which nothing has moved since then.
pub fn still(since: DateTime<Utc>) -> Value {
    json!({ "quiet_since": since, "last_activity_at": since })
}

/// Waits for the nudge of a stall.
pub async fn nudged(watcher: &Client) -> Value {
    let order = watcher.awaited().await;
    assert_eq!((&order["kind"], &order["trigger"], &order["text"]), (&json!("nudge"), &json!("stall"), &json!(LINE)));
    order
}

/// Lets time pass, at whose end the pane is reported as it stands, by a client whose token has been renewed.
pub async fn pass(app: &TestApp, watcher: &mut Client, mins: i64, pane: &Value) {
    app.advance(TimeDelta::minutes(mins));
    *watcher = app.watcher().await;
    watcher.rest(pane).await;
}

#[tokio::test]
async fn a_stall_is_nudged_twice_and_then_told_once() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    watcher.rest(&still(began)).await;
    pass(&app, &mut watcher, 19, &still(began)).await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 1, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    // The line itself moves the screen, and the client tells of that.
    let echo = now(&app) + TimeDelta::seconds(1);
    pass(&app, &mut watcher, 4, &still(echo)).await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 1, &still(echo)).await;
    watcher.typed(&nudged(&watcher).await).await;
    let echo = now(&app) + TimeDelta::seconds(1);
    pass(&app, &mut watcher, 4, &still(echo)).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty());
    pass(&app, &mut watcher, 1, &still(echo)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["stalled"]);
    pass(&app, &mut watcher, 60, &still(echo)).await;
    app.nothing_for(&watcher).await;
    let acted = app.acted().await;
    let rows: Vec<_> = acted.iter().map(|row| (&row["trigger"], &row["decision"], &row["outcome"])).collect();
    let (stall, nudge) = (&json!("stall"), &json!("nudge"));
    let (sent, hold, held) = (&json!("sent"), &json!("hold"), &json!("held"));
    assert_eq!(rows, [(stall, nudge, sent), (stall, nudge, sent), (stall, hold, held)]);
    assert_eq!(acted[2]["reason"], "escalated after 2 nudges");
    assert_eq!(app.told("needs_you.raised").await.len(), 1);
}

#[tokio::test]
async fn activity_ends_it_and_the_next_stall_starts_afresh() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 5, "nudge_retries": 1 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    watcher.rest(&still(began)).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["stalled"]);
    // It works at last.
    watcher.rest(&json!({ "status": "working", "safe_to_type": false, "ended_turn": false })).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty(), "the episode is over");
    let rests = now(&app);
    watcher.rest(&still(rests)).await;
    pass(&app, &mut watcher, 4, &still(rests)).await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 1, &still(rests)).await;
    let order = nudged(&watcher).await;
    // The agent takes the line up before its client has said that it was typed.
    watcher.rest(&json!({ "status": "working", "safe_to_type": false, "ended_turn": false })).await;
    watcher.typed(&order).await;
    let rests = now(&app);
    watcher.rest(&still(rests)).await;
    pass(&app, &mut watcher, 4, &still(rests)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.told("needs_you.raised").await.len(), 1, "that was another stall, and it moved");
}

#[tokio::test]
async fn a_draft_that_was_left_behind_keeps_no_stall_from_a_person() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 5 })).await;
    let mut watcher = app.watcher().await;
    let drafted =
        |since: DateTime<Utc>| json!({ "quiet_since": since, "last_activity_at": since, "safe_to_type": false });
    let began = now(&app);
    watcher.rest(&drafted(began)).await;
    pass(&app, &mut watcher, 9, &drafted(began)).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty(), "somebody may come back to it");
    pass(&app, &mut watcher, 1, &drafted(began)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["stalled"]);
    let acted = app.acted().await;
    assert_eq!((&acted[0]["decision"], &acted[0]["outcome"]), (&json!("hold"), &json!("held")));
    assert!(acted[0]["reason"].as_str().unwrap().contains("nothing can be typed there"), "{}", acted[0]);
    pass(&app, &mut watcher, 60, &drafted(began)).await;
    assert_eq!((app.acted().await.len(), app.told("needs_you.raised").await.len()), (1, 1), "once");
    // The draft is sent off at last.
    watcher.rest(&json!({ "status": "working", "safe_to_type": false, "ended_turn": false })).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty());
}

#[tokio::test]
async fn a_screen_that_moves_long_after_the_line_is_a_sign_of_life() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 2, "nudge_retries": 1 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    watcher.rest(&still(began)).await;
    pass(&app, &mut watcher, 2, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    // Somebody types at the terminal.
    app.advance(TimeDelta::minutes(4));
    let moved = now(&app);
    watcher.rest(&still(moved)).await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 1, &still(moved)).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty());
    pass(&app, &mut watcher, 1, &still(moved)).await;
    nudged(&watcher).await;
}

#[tokio::test]
async fn cleared_work_ends_it() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "stall_mins": 1, "nudge_retries": 0 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    watcher.rest(&still(began)).await;
    pass(&app, &mut watcher, 30, &still(began)).await;
    app.nothing_for(&watcher).await;
    app.who("ben").mail("api", "do something").await;
    let line = watcher.awaited().await;
    assert_eq!(line["trigger"], "mail", "mail that has just come is no stall");
    watcher.typed(&line).await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 1, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["stalled"], "no retries: after one");
    assert_eq!(app.acted().await.last().unwrap()["reason"], "escalated after 1 nudge");
    app.who("coder").inbox().await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty());
    pass(&app, &mut watcher, 60, &still(began)).await;
    app.nothing_for(&watcher).await;
}

#[tokio::test]
async fn what_is_not_known_to_be_still_is_left_alone() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 1 })).await;
    let began = now(&app);
    app.advance(TimeDelta::hours(1));
    let watcher = app.watcher().await;
    let since = |quiet: Value, active: Value| json!({ "quiet_since": quiet, "last_activity_at": active });
    let idle = still(began);
    let and = |more: Value| crate::support::proposals::with(idle.clone(), &more);
    for differs in [
        since(json!(null), json!(null)),
        since(json!(began), json!(null)),
        since(json!(null), json!(began)),
        since(json!(now(&app)), json!(began)),
        since(json!(began), json!(now(&app))),
        and(json!({ "status": "working", "safe_to_type": false, "ended_turn": false })),
        and(json!({ "status": "blocked", "safe_to_type": false })),
        and(json!({ "status": "unknown", "safe_to_type": false })),
        and(json!({ "limit": true })),
        and(json!({ "external": true })),
    ] {
        watcher.rest(&differs).await;
        app.nothing_for(&watcher).await;
    }
    watcher.rest(&idle).await;
    nudged(&watcher).await;
}
