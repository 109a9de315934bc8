//! The test cluster judged by itself: databases are migrated, apart from each other, and as durable as in earnest.

use sqlx::{Connection, PgConnection};

use crate::support::cluster;

#[tokio::test]
async fn every_test_has_a_database_of_its_own() {
    let (one, other) = (cluster::database().await, cluster::database().await);
    let mut one = PgConnection::connect(&one).await.unwrap();
    let mut other = PgConnection::connect(&other).await.unwrap();
    sqlx::query("update instance set pause_reason = 'mine'").execute(&mut one).await.unwrap();
    let reason: Option<String> =
        sqlx::query_scalar("select pause_reason from instance").fetch_one(&mut other).await.unwrap();
    assert_eq!(reason, None);
    let durable: String =
        sqlx::query_scalar("select current_setting('fsync') || current_setting('synchronous_commit')")
            .fetch_one(&mut one)
            .await
            .unwrap();
    assert_eq!(durable, "onon");
}
