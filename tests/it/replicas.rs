//! Several servers over one database: what one commits the others tell, by the bell or without it, and none is lost.

mod bell;
mod flood;
mod shared;

use std::time::Duration;

use sqlx::Executor;

use crate::support::cluster;

/// Cuts every listener of a database, again and again, as a failing network would; ends with the returned task.
fn cut_bells(database: &str, every: Duration) -> tokio::task::JoinHandle<()> {
    let database = database.to_owned();
    tokio::spawn(async move {
        let mut conn = cluster::connect(&database).await;
        let mut ticks = tokio::time::interval(every);
        loop {
            ticks.tick().await;
            conn.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and query ilike 'listen %'",
            )
            .await
            .unwrap();
        }
    })
}
