//! Sixteen approvers on two hundred proposals, and everything that can end a proposal at the same moment.

use std::collections::HashMap;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{count, nothing_is_double_or_lost};
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::cluster;
use crate::support::proposals::{change, with};

const APPROVERS: usize = 16;
const PROPOSALS: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_approvers_decide_two_hundred_proposals_once_each() {
    let app = TestApp::peopled().await;
    app.machine().patch("/api/v1/settings", &json!({ "agent_cap": PROPOSALS })).await.assert_status(200);
    let busy = app.agent("busy", "api").await;
    let mut approvers = Vec::new();
    for n in 0..APPROVERS {
        approvers.push(app.person(&format!("approver{n}"), "approver", "lane:api").await);
    }
    let asks: Vec<_> = (0..PROPOSALS).map(|n| change(&format!("n {n}"))).collect();
    let asked = join_all(asks.iter().map(|ask| busy.propose(ask))).await;

    // All sixteen at once on each, every second one saying no; who asks first goes round.
    let mut told = Vec::new();
    for (n, proposal) in asked.iter().enumerate() {
        approvers.rotate_left(1);
        let all = approvers.iter().enumerate().map(|(at, approver)| decide(approver, proposal, at + n));
        told.extend(join_all(all).await.into_iter().flatten());
    }
    let mut winners: HashMap<&str, &Value> = HashMap::new();
    for decision in &told {
        let id = decision["id"].as_str().unwrap();
        assert!(winners.insert(id, &decision["decision"]).is_none(), "{id} was decided twice");
    }
    assert_eq!(winners.len(), PROPOSALS);
    for proposal in &asked {
        let is = busy.look(proposal).await;
        assert_eq!(&is["decision"], winners[proposal["id"].as_str().unwrap()], "what was told is what stands");
    }
    let mut conn = cluster::connect(&app.database).await;
    assert_eq!(count(&mut conn, "select count(*) from decisions").await, 200);
    assert_eq!(count(&mut conn, "select count(*) from events where kind = 'proposal.decided'").await, 200);
    let deciders = count(&mut conn, "select count(distinct decided_by) from decisions").await;
    assert!(deciders > 4, "{deciders} won all of them");
    nothing_is_double_or_lost(&app).await;
}

/// The review, if this approver was first; everybody else is told `already_decided`.
async fn decide(approver: &Client, proposal: &Value, n: usize) -> Option<Value> {
    let outcome = if n.is_multiple_of(2) { "approved" } else { "rejected" };
    let answer = approver.decide(proposal, outcome).await;
    if answer.status == 200 {
        return Some(answer.json);
    }
    answer.assert_problem(409, "already_decided");
    None
}

#[tokio::test]
async fn a_double_tap_is_one_decision() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Tap")).await;
    let taps = join_all((0..8).map(|_| ben.decide(&asked, "approved"))).await;
    for tap in &taps {
        tap.assert_status(200);
        assert_eq!((&tap.json["version"], &tap.json["decision"]), (&json!(2), &taps[0].json["decision"]));
    }
    nothing_is_double_or_lost(&app).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn everything_at_once_on_the_same_content_ends_once() {
    let app = TestApp::peopled().await;
    let (coder, ben, ada) = (app.who("coder"), app.who("ben"), app.who("ada"));
    for round in 0..40 {
        let ask = change(&format!("same {}", round % 4));
        let asked = coder.post("/api/v1/proposals", &with(ask.clone(), &json!({ "expires_in": 60 }))).await.json;
        if round % 5 == 4 {
            app.advance(chrono::TimeDelta::seconds(60));
        }
        let (made, decided, withdrawn, seen) = tokio::join!(
            join_all((0..4).map(async |n| coder.propose_as(&format!("{round}-{}", n % 2), &ask).await)),
            join_all([ben.decide(&asked, "approved"), ada.decide(&asked, "rejected"), ben.decide(&asked, "approved")]),
            join_all([coder.withdraw(&asked), coder.withdraw(&asked)]),
            join_all([coder.wait(&asked, 1), coder.wait(&asked, 0)]),
        );
        for answer in made.iter().chain(&decided).chain(&withdrawn).chain(&seen) {
            let known = matches!(answer.status, 200 | 201 | 304 | 409 | 410);
            assert!(known, "{} {}", answer.status, answer.text);
        }
        assert_eq!(made.iter().filter(|answer| answer.status >= 400).count(), 0, "a create has nothing to lose");
        assert_ne!(super::status(&app, &asked).await, "pending");
        for answer in &made {
            coder.withdraw(&answer.json).await;
        }
    }
    nothing_is_double_or_lost(&app).await;
}
