//! Stalls across keys, servers and restarts, and nudges that could not be typed.

use chrono::TimeDelta;
use serde_json::json;

use super::stalls::{now, nudged, pass, still};
use crate::support::app::TestApp;

#[tokio::test]
async fn only_a_lane_with_both_keys_is_watched() {
    let app = TestApp::peopled().await;
    let work = json!({ "expect_work": true, "stall_mins": 1 });
    app.supervised(&work).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    for off in [json!({ "enabled": false }), json!({ "lane": "api", "enabled": false })] {
        app.set_policy(&off).await;
        pass(&app, &mut watcher, 5, &still(began)).await;
        app.nothing_for(&watcher).await;
        app.supervised(&work).await;
    }
    watcher.typed(&nudged(&watcher).await).await;
    app.set_policy(&json!({ "lane": "api", "nudge_retries": 0 })).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    app.nothing_for(&watcher).await;
    assert_eq!(app.needed().await, ["stalled"]);
    app.set_policy(&json!({ "enabled": false })).await;
    app.nothing_for(&watcher).await;
    assert!(app.needed().await.is_empty(), "nobody supervises it any more");
}

#[tokio::test]
async fn a_key_that_is_turned_before_the_lease_takes_the_nudge_back() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 1 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    pass(&app, &mut watcher, 5, &still(began)).await;
    app.ordered().await;
    app.set_policy(&json!({ "lane": "api", "enabled": false })).await;
    assert!(watcher.orders().await.is_empty());
    let acted = app.acted().await;
    assert_eq!((acted.len(), &acted[0]["reason"]), (1, &json!("policy_changed")));
    app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    watcher.rest(&still(began)).await;
    nudged(&watcher).await;
}

#[tokio::test]
async fn nudges_that_cannot_be_typed_count_and_the_row_says_so() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 1 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    pass(&app, &mut watcher, 2, &still(began)).await;
    watcher.skipped(&nudged(&watcher).await, "pane_in_mode").await;
    app.nothing_for(&watcher).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    pass(&app, &mut watcher, 5, &still(began)).await;
    app.nothing_for(&watcher).await;
    let held = app.acted().await.pop().unwrap();
    assert_eq!(held["reason"], "escalated after 2 nudges, of which 1 could be typed");
    assert_eq!(app.needed().await, ["stalled"]);
}

#[tokio::test]
async fn an_episode_outlives_the_server_and_two_servers_have_one() {
    let app = TestApp::peopled().await;
    app.supervised(&json!({ "expect_work": true, "stall_mins": 1 })).await;
    let mut watcher = app.watcher().await;
    let began = now(&app);
    pass(&app, &mut watcher, 2, &still(began)).await;
    watcher.typed(&nudged(&watcher).await).await;
    let app = app.restart().await;
    let other = TestApp::start_on(&app.database).await;
    for n in 0..2 {
        app.advance(TimeDelta::minutes(8));
        other.advance(TimeDelta::minutes(8));
        let watcher = app.watcher().await;
        watcher.rest(&still(began)).await;
        for _ in 0..4 {
            let (here, there) = tokio::join!(app.tick(), other.tick());
            assert!(here + there <= 1, "{n}");
        }
        if n == 0 {
            watcher.typed(&nudged(&watcher).await).await;
        }
    }
    app.nothing_for(&app.watcher().await).await;
    let acted = app.acted().await;
    assert_eq!((acted.len(), &acted[2]["reason"]), (3, &json!("escalated after 2 nudges")));
    assert_eq!(app.needed().await, ["stalled"]);
    let mut held = app.told("needs_you.raised").await;
    assert_eq!((held.len(), held.pop().unwrap()["cause"].clone()), (1, json!("stalled")));
}
