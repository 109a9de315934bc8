//! Check: pure and repeatable; who waits sleeps in memory, costs the database nothing, and is woken by every end.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use reqwest::Method;
use reqwest::header::IF_NONE_MATCH;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::proposals::{at, change, with};
use crate::support::statements::Statements;

#[tokio::test]
async fn looking_changes_nothing() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asked = coder.propose(&change("Look")).await;
    for _ in 0..3 {
        assert_eq!(coder.look(&asked).await, asked);
    }
    // Another agent of the lane may look too; nobody else.
    assert_eq!(app.who("tester").look(&asked).await, asked);
    app.who("painter").get(&at(&asked)).await.assert_problem(404, "not_found");
    let nobody = json!({ "id": "00000000-0000-7000-8000-000000000000" });
    coder.get(&at(&nobody)).await.assert_problem(404, "not_found");
    coder.get("/api/v1/proposals/nonsense").await.assert_problem(404, "not_found");
    app.who("ada").get(&at(&asked)).await.assert_problem(401, "unauthenticated");
    assert_eq!(app.journal_of(&asked).await.len(), 1, "nothing but its creation");
}

#[tokio::test]
async fn the_etag_is_the_version_and_304_says_when_to_come_again() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asked = coder.propose(&change("Etag")).await;
    // The first read fills the memory, the second is answered from it; both say the same.
    for _ in 0..2 {
        let same = coder.wait(&asked, 0).await;
        assert_eq!((same.status, same.header("etag"), same.text.as_str()), (304, "\"v1\"", ""));
        assert!((0..=2).contains(&same.header("retry-after").parse::<u32>().unwrap()));
    }
    for stale in ["\"v0\"", "\"v7\"", "nonsense", "*"] {
        let request = coder.request(Method::GET, &at(&asked)).header(IF_NONE_MATCH, stale);
        let answer = coder.send(request).await;
        assert_eq!((answer.status, answer.header("etag")), (200, "\"v1\""), "{stale}");
    }
    app.who("ben").decide(&asked, "approved").await.assert_status(200);
    let answer = coder.wait(&asked, 0).await;
    assert_eq!((answer.status, answer.header("etag"), answer.header("retry-after")), (200, "\"v2\"", ""));
    for (field, query) in [("wait", "wait=46"), ("wait", "wait=soon")] {
        let answer = coder.get(&format!("{}?{query}", at(&asked))).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field);
    }
}

#[tokio::test]
async fn an_unchanged_wait_ends_in_304_and_a_final_one_at_once() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asked = coder.propose(&change("Patience")).await;
    let started = Instant::now();
    assert_eq!(coder.wait(&asked, 1).await.status, 304);
    assert!((900..4000).contains(&started.elapsed().as_millis()));
    coder.withdraw(&asked).await.assert_status(200);
    let known = with(asked, &json!({ "version": 2 }));
    let started = Instant::now();
    assert_eq!(coder.wait(&known, 30).await.status, 304, "nothing will ever change");
    assert!(started.elapsed().as_secs() < 5);
    // Without a version the wait is for a final answer.
    let answer = coder.get(&format!("{}?wait=30", at(&known))).await.body(200);
    assert_eq!(answer["status"], "withdrawn");
}

fn waiting(agent: &Client, asked: &Value) -> tokio::task::JoinHandle<Value> {
    let (agent, asked) = (agent.clone(), asked.clone());
    tokio::spawn(async move { agent.wait(&asked, 40).await.body(200) })
}

#[tokio::test]
async fn every_end_wakes_whoever_waits() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut asked = Vec::new();
    for title in ["approved", "rejected", "modified", "withdrawn"] {
        asked.push(coder.propose(&change(title)).await);
    }
    asked.push(coder.propose(&with(change("expired"), &json!({ "expires_in": 3600 }))).await);
    // Two wait for each: the agent that asked, and its colleague.
    let waits: Vec<_> =
        asked.iter().flat_map(|asked| [waiting(&coder, asked), waiting(&app.who("tester"), asked)]).collect();
    app.asleep(waits.len()).await;
    ben.decide(&asked[0], "approved").await.assert_status(200);
    ben.decide(&asked[1], "rejected").await.assert_status(200);
    ben.rule(&asked[2], &json!({ "outcome": "modified", "body": "b" })).await.assert_status(200);
    coder.withdraw(&asked[3]).await.assert_status(200);
    app.advance(TimeDelta::hours(1));
    let woken = tokio::time::timeout(Duration::from_secs(5), join_all(waits)).await.expect("all are woken");
    for (pair, asked) in woken.chunks(2).zip(&asked) {
        for answer in pair {
            assert_eq!(answer.as_ref().unwrap()["status"], asked["title"]);
        }
    }
    assert_eq!(app.state.hub.waiters.count(), (0, 0), "nothing is left behind");
}

#[tokio::test]
async fn who_waits_costs_the_database_nothing() {
    let app = TestApp::peopled().await;
    let (statements, _listening) = Statements::listen();
    let coder = app.who("coder");
    let mut asked = Vec::new();
    for n in 0..10 {
        asked.push(coder.propose(&change(&format!("n {n}"))).await);
        coder.look(asked.last().unwrap()).await;
    }
    // Long enough for everything that jobs read again and again; the settings are read every five seconds.
    let alone = statements.heard(8).await;
    assert!(!alone.is_empty(), "tail and jobs were heard");

    let waits: Vec<_> = (0..200).map(|n| waiting(&coder, &asked[n % 10])).collect();
    app.asleep(200).await;
    let with_waiters = statements.heard(4).await;
    assert!(!with_waiters.is_empty(), "tail and jobs were heard");
    let new: Vec<_> = with_waiters.iter().filter(|statement| !alone.contains(statement)).collect();
    assert_eq!(new, Vec::<&String>::new(), "waiting asks nothing that is not asked anyway");
    assert!(with_waiters.len() <= alone.len() + 10, "{} and {}", with_waiters.len(), alone.len());
    waits.iter().for_each(tokio::task::JoinHandle::abort);
}
