//! The doctor's eyes: a writer that holds the tail back is named, in whatever database it sits.

use countersign::pg::{Cluster, DATABASE, Options};
use countersign::store;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use super::stage::Stage;
use crate::support::app::TestApp;
use crate::support::scratch;

async fn check(stage: &Stage, name: &str) -> Value {
    let found = stage.app.local().get("/api/v1/doctor").await.body(200);
    let items = found["items"].as_array().unwrap();
    items.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name} in {items:?}")).clone()
}

#[tokio::test]
async fn everything_is_looked_at() {
    let stage = Stage::new().await;
    for name in ["mode", "exposure", "database", "clock", "tail", "checkpoints", "sessions", "tokens", "admins"] {
        let check = check(&stage, name).await;
        assert_ne!(check["level"], "fail", "{check}");
    }
    assert_eq!(check(&stage, "admins").await["level"], "warn", "one admin is few");
}

#[tokio::test]
async fn a_pause_that_somebody_forgot_is_named() {
    let stage = Stage::new().await;
    assert_eq!(check(&stage, "pause").await["level"], "ok");
    stage.admin.post("/api/v1/pause", &json!({ "reason": "the night" })).await.assert_status(200);
    let found = check(&stage, "pause").await;
    assert_eq!(found["level"], "warn", "{found}");
    for (part, said) in [("found", "the night"), ("found", "ada"), ("hint", "countersign pause off")] {
        assert!(found[part].as_str().unwrap().contains(said), "{found}");
    }
}

#[tokio::test]
async fn a_writer_that_hangs_in_another_database_is_named() {
    // A cluster of its own: the writer would hold back every other test's tail as well.
    let options = Options { data_dir: scratch::folder("hanging"), pg_bin: None };
    let cluster = tokio::task::spawn_blocking(move || Cluster::start(&options).unwrap()).await.unwrap();
    let url = cluster.url(DATABASE);
    store::migrate(&url).await.unwrap();
    let stage = Stage::on(TestApp::start_on(&url).await).await;
    let mut elsewhere = PgConnection::connect(&cluster.url("postgres")).await.unwrap();
    elsewhere
        .execute("set application_name = 'hanging-writer'; set idle_in_transaction_session_timeout = 0")
        .await
        .unwrap();
    elsewhere.execute("begin").await.unwrap();
    elsewhere.execute("select pg_current_xact_id()").await.unwrap();
    // Not readiness: the transaction has to have been open for a while to be worth a word.
    tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
    let tail = check(&stage, "tail").await;
    assert_ne!(tail["level"], "ok", "{tail}");
    assert!(tail["found"].as_str().unwrap().contains("hanging-writer"), "{tail}");
    assert!(tail["hint"].as_str().unwrap().contains("pg_terminate_backend"), "{tail}");
    elsewhere.execute("rollback").await.unwrap();
    stage.app.stop().await;
    tokio::task::spawn_blocking(move || cluster.stop()).await.unwrap();
}
