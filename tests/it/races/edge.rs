//! Decisions around the very moment of expiry: in time and counted, or late and refused, never both.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::nothing_is_double_or_lost;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::proposals::{change, with};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_at_the_edge_is_in_time_or_late_and_never_both() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asks: Vec<_> = (0..20).map(|n| with(change(&format!("n {n}")), &json!({ "expires_in": 2 }))).collect();
    let asked = join_all(asks.iter().map(|ask| coder.propose(ask))).await;
    let (ben, ada) = (app.who("ben"), app.who("ada"));
    // From 500 ms before the edge to 120 ms behind it, each by two at once.
    let late = join_all(asked.iter().zip(0_u32..).map(async |(proposal, n)| {
        let left = time(&proposal["expires_at"]) - app.state.clock.now();
        let edge = left.to_std().unwrap_or_default() + Duration::from_millis(120);
        tokio::time::sleep(edge.saturating_sub(Duration::from_millis(31) * n)).await;
        let (one, other) = tokio::join!(decide(&ben, proposal), decide(&ada, proposal));
        assert!(!(one && other), "both were first");
        let is = coder.look(proposal).await;
        assert_eq!(is["status"], if one || other { "approved" } else { "expired" });
        if one || other {
            assert!(time(&is["decision"]["decided_at"]) < time(&is["expires_at"]), "{is}");
        } else {
            assert!(is["decision"].is_null());
        }
        u32::from(!(one || other))
    }))
    .await;
    let late: u32 = late.iter().sum();
    assert!((1..20).contains(&late), "{late} of 20 were late: both sides of the edge were tried");
    nothing_is_double_or_lost(&app).await;
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

/// Whether this one was in time, and first.
async fn decide(person: &Client, proposal: &Value) -> bool {
    let answer = person.decide(proposal, "approved").await;
    match answer.status {
        200 => true,
        410 => false,
        _ => {
            answer.assert_problem(409, "already_decided");
            false
        }
    }
}
