//! A database that takes no writes for a while, as a standby does: people and agents still read.

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use super::gone::answered;
use super::promises::all_is_in_order;
use super::stage::Stage;
use crate::support::proposals::{at, change, review_at};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_takes_no_writes_is_still_read() {
    let stage = Stage::new().await;
    let server = stage.serve();
    let (agent, approver) = (stage.agent(0, &server.url), stage.approver(&server.url));
    let asked = agent.propose(&change("before")).await;

    let mut db = server.database().await;
    // Long ago: each read would like to note when it was.
    let long_ago = "update sessions set seen_at = seen_at - interval '1 hour'; update tokens set last_used_at = null";
    db.execute(long_ago).await.unwrap();
    takes_writes(&mut db, false).await;
    let seen = answered(async || agent.get(&at(&asked)).await).await.body(200);
    assert_eq!(seen["status"], "pending");
    answered(async || approver.get("/api/v1/reviews").await).await.assert_status(200);
    answered(async || approver.get(&review_at(&asked)).await).await.assert_status(200);
    answered(async || approver.get("/").await).await.assert_status(200);
    for _ in 0..3 {
        agent.post("/api/v1/proposals", &change("meanwhile")).await.assert_problem(503, "unavailable");
        approver.decide(&asked, "approved").await.assert_problem(503, "unavailable");
    }
    assert_eq!(agent.look(&asked).await["decision"], json!(null));

    takes_writes(&mut db, true).await;
    let decided = answered(async || approver.decide(&asked, "approved").await).await;
    assert_eq!(decided.body(200)["status"], "approved");
    let again = answered(async || agent.post("/api/v1/proposals", &change("after")).await).await;
    again.assert_status(201);
    all_is_in_order(&server);
    db.close().await.unwrap();
    assert!(server.stop().success());
}

/// For everybody else's next connection, which comes at once.
async fn takes_writes(db: &mut PgConnection, so: bool) {
    let read_only = if so { "off" } else { "on" };
    db.execute("set default_transaction_read_only = off").await.unwrap();
    let setting = format!("alter database countersign set default_transaction_read_only = {read_only}");
    db.execute(sqlx::AssertSqlSafe(setting)).await.unwrap();
    let others = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = 'countersign' and pid <> pg_backend_pid()";
    db.execute(others).await.unwrap();
}
