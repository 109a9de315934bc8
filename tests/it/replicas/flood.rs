//! Thirty-two writers, listeners cut every second, a replica gone between commit and bell: every event is told once, in
//! order, and sealed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign::domain::cursor::Cursor;
use countersign::domain::event::EventKind;
use countersign::flows::seal;
use countersign::hub::frame::Frame;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};
use tokio::runtime::Runtime;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{sleep, timeout};

use super::cut_bells;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::cluster;
use crate::support::proposals::change;

/// Writers of rows, in transactions that overtake each other; two more work through the replica that dies.
const WRITERS: usize = 30;
const ROUNDS: usize = 84;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_event_is_lost_or_told_twice_or_left_out_of_the_chain() {
    let reader = TestApp::peopled().await;
    let mut conn = cluster::connect(&reader.database).await;
    tail_has_started(&reader).await;
    let told = Told::listen(&reader);
    let before: i64 = sqlx::query_scalar("select max(id) from events").fetch_one(&mut conn).await.unwrap();

    let cutting = cut_bells(&reader.database, Duration::from_secs(1));
    let writers: Vec<_> = (0..WRITERS).map(|_| tokio::spawn(write(reader.database.clone()))).collect();
    // In the middle of commits whose bell is never rung.
    let worked = work_and_die(&reader.database).await;
    assert!(worked > 0, "the replica that died had worked");
    for writer in writers {
        writer.await.unwrap();
    }
    cutting.abort();

    let expected = told_rows(&mut conn, before).await;
    assert!(expected.len() >= 25_000, "{} events", expected.len());
    timeout(Duration::from_secs(20), told.count_to(expected.len())).await.expect("an event was lost");
    sleep(Duration::from_secs(1)).await;
    let (cursors, skipped) = told.end();
    assert_eq!(cursors.len() + skipped, expected.len(), "an event was told twice, or one that is not there");
    assert!(cursors.is_sorted_by(|one, next| one < next), "out of order");
    let known: BTreeSet<_> = expected.iter().collect();
    assert!(cursors.iter().all(|cursor| known.contains(cursor)));
    assert!(cursors.len() > expected.len() / 2, "{skipped} were too fast for this listener");
    every_row_is_sealed(&reader).await;
}

/// A tail tells what comes after its start.
async fn tail_has_started(app: &TestApp) {
    while !app.state.hub.fresh(app.state.clock.now().timestamp_micros()) {
        sleep(Duration::from_millis(5)).await;
    }
}

/// What one replica's tail has told, and how much of it came faster than it was listened to.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<(Vec<Cursor>, usize)>>);

impl Told {
    fn listen(app: &TestApp) -> Self {
        let told = Self::default();
        tokio::spawn(told.clone().hear(app.state.hub.subscribe()));
        told
    }

    async fn hear(self, mut frames: Receiver<Arc<Frame>>) {
        loop {
            let heard = frames.recv().await;
            let mut told = self.0.lock().unwrap();
            match heard {
                Ok(frame) => told.0.push(frame.cursor),
                Err(RecvError::Lagged(skipped)) => told.1 += usize::try_from(skipped).unwrap(),
                Err(RecvError::Closed) => return,
            }
        }
    }

    async fn count_to(&self, expected: usize) {
        while {
            let told = self.0.lock().unwrap();
            told.0.len() + told.1 < expected
        } {
            sleep(Duration::from_millis(20)).await;
        }
    }

    fn end(&self) -> (Vec<Cursor>, usize) {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// Ten rows in a transaction, five of them a moment later: ids and transactions come in another order than commits.
async fn write(database: String) {
    let mut conn = cluster::connect(&database).await;
    for _ in 0..ROUNDS {
        let mut tx = conn.begin().await.unwrap();
        let rows = "insert into events (kind, actor, payload)
            select 'proposal.seen', 'test', '{}' from generate_series(1, 5)";
        tx.execute(rows).await.unwrap();
        tx.execute("select pg_sleep(random() * 0.05)").await.unwrap();
        tx.execute(rows).await.unwrap();
        tx.commit().await.unwrap();
    }
}

/// Proposes and withdraws on a replica that is gone two seconds later; how much it had answered until then.
async fn work_and_die(database: &str) -> usize {
    let runtime = Runtime::new().unwrap();
    let database = database.to_owned();
    let app = runtime.spawn(async move { TestApp::start_on(&database).await }).await.unwrap();
    let askers = ["coder", "painter"].map(|agent| tokio::spawn(ask(app.who(agent))));
    sleep(Duration::from_secs(2)).await;
    runtime.shutdown_background();
    let mut answered = 0;
    for asker in askers {
        answered += asker.await.unwrap();
    }
    answered
}

/// Until nobody answers any more.
async fn ask(agent: Client) -> usize {
    for n in 0.. {
        let request = agent.request(reqwest::Method::POST, "/api/v1/proposals").json(&change(&format!("n {n}")));
        let Ok(made) = request.send().await else { return n };
        let Ok(made) = made.json::<serde_json::Value>().await else { return n };
        let path = format!("/api/v1/proposals/{}/withdraw", made["id"].as_str().unwrap());
        if agent.request(reqwest::Method::POST, &path).json(&json!({})).send().await.is_err() {
            return n;
        }
    }
    0
}

/// The rows that sockets hear of, in the journal's order.
async fn told_rows(conn: &mut PgConnection, behind: i64) -> Vec<Cursor> {
    let kinds: Vec<_> = EventKind::ALL.iter().filter(|kind| kind.told()).map(|kind| kind.as_str()).collect();
    let rows: Vec<(i32, String, i64)> = sqlx::query_as(
        "select epoch, xid::text, id from events where id > $1 and kind = any($2) order by epoch, events.xid, id",
    )
    .bind(behind)
    .bind(kinds)
    .fetch_all(conn)
    .await
    .unwrap();
    rows.into_iter().map(|(epoch, xid, id)| Cursor { epoch, xid: xid.parse().unwrap(), id }).collect()
}

/// The chain holds every row once, and is whole.
async fn every_row_is_sealed(app: &TestApp) {
    while seal::seal(&app.state).await.unwrap() > 0 {}
    let mut conn = cluster::connect(&app.database).await;
    let rows: i64 = sqlx::query_scalar("select count(*) from events").fetch_one(&mut conn).await.unwrap();
    let report = app.local().get("/api/v1/audit/verify").await.body(200);
    assert_eq!(report["findings"], json!([]));
    let counted = |name: &str| report[name].as_i64().unwrap();
    assert_eq!((counted("rows"), counted("rows_unsealed")), (rows, 0));
}
