//! The bell: rung for other replicas after a commit, and no more than a hint, because the timer finds what it missed.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::postgres::PgListener;
use tokio::time::timeout;

use super::cut_bells;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::proposals::change;

fn wait(agent: &Client, asked: &Value) -> tokio::task::JoinHandle<Value> {
    let (agent, asked) = (agent.clone(), asked.clone());
    tokio::spawn(async move { agent.wait(&asked, 30).await.body(200) })
}

/// Decides on one replica while the agent waits on the other.
async fn across(here: &TestApp, there: &TestApp, within: Duration) {
    let coder = there.who("coder");
    let asked = here.who("coder").propose(&change("Across")).await;
    coder.look(&asked).await;
    let waiting = wait(&coder, &asked);
    there.asleep(1).await;
    here.who("ben").decide(&asked, "approved").await.assert_status(200);
    let answer = timeout(within, waiting).await.expect("the agent was not woken in time").unwrap();
    assert_eq!(answer["decision"]["decided_by"], "ben");
    there.nobody_asleep().await;
}

#[tokio::test]
async fn a_decision_on_one_replica_wakes_the_agent_that_waits_on_another() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    for _ in 0..5 {
        across(&here, &there, Duration::from_secs(1)).await;
        across(&there, &here, Duration::from_secs(1)).await;
    }
}

#[tokio::test]
async fn with_the_bell_cut_the_timer_still_finds_it() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    let cutting = cut_bells(&here.database, Duration::from_millis(50));
    for _ in 0..5 {
        across(&here, &there, Duration::from_secs(2)).await;
    }
    cutting.abort();
}

#[tokio::test]
async fn every_act_rings_the_bell_and_says_nothing_in_it() {
    let app = TestApp::peopled().await;
    let mut listener = PgListener::connect(&app.database).await.unwrap();
    listener.listen("countersign").await.unwrap();
    let coder = app.who("coder");
    let asked = coder.propose(&change("Ring")).await;
    heard(&mut listener).await;
    app.who("ben").decide(&asked, "approved").await.assert_status(200);
    heard(&mut listener).await;
}

async fn heard(listener: &mut PgListener) {
    let heard = timeout(Duration::from_secs(5), listener.recv()).await.expect("the bell was not rung").unwrap();
    assert_eq!(heard.payload(), "");
}

#[tokio::test]
async fn phones_of_every_replica_hear_everything_in_one_order() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    let mut phones = [here.phone_of(&here.who("ben")).await, there.phone_of(&there.who("ada")).await];
    let mut asked = Vec::new();
    for n in 0..6 {
        let app = if n % 2 == 0 { &here } else { &there };
        asked.push(app.who("coder").propose(&change(&format!("n {n}"))).await["id"].clone());
    }
    let mut cursors = Vec::new();
    for phone in &mut phones {
        let mut heard = Vec::new();
        for _ in &asked {
            let frame = phone.next_of("proposal.created").await;
            heard.push((frame["proposal_id"].clone(), frame["cursor"].clone()));
        }
        assert_eq!(heard.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), asked);
        cursors.push(heard);
    }
    assert_eq!(cursors[0], cursors[1]);
    // A page that was on one replica goes on from the same place on the other.
    let after = format!("/api/v1/events?after={}", cursors[0][3].1.as_str().unwrap());
    let ada = there.who("ada");
    let headers = [("cookie", ada.cookie().unwrap()), ("origin", there.url.as_str())];
    let mut resumed = crate::support::socket::Socket::open(&there.url, &after, &headers).await.unwrap();
    for id in &asked[4..] {
        assert_eq!(resumed.next_of("proposal.created").await["proposal_id"], *id);
    }
    let unknown = "/api/v1/events?after=9.9.9";
    let mut lost = crate::support::socket::Socket::open(&there.url, unknown, &headers).await.unwrap();
    assert_eq!(lost.next().await["type"], json!("resync"));
}
