//! The journal's promises, against a superuser who means harm, several servers at once, crashes and restores.

mod checkpoints;
mod export;
mod restore;
mod retention;
mod sealing;
mod tampering;

use std::path::PathBuf;
use std::time::Duration;

use countersign::app::{AppParts, AppState};
use countersign::auth::LocalPeer;
use countersign::clock::Clock;
use countersign::config::PublicUrl;
use countersign::domain::journal::finding::{Damage, Report};
use countersign::domain::journal::verify::Trust;
use countersign::flows::{checkpoint, seal, verify};
use countersign::notary::Notary;
use countersign::store;
use sqlx::{AssertSqlSafe, PgPool};

use crate::support::{cluster, scratch};

/// One installation: a database and the data folder of a server over it.
pub struct Site {
    pub database: String,
    pub dir: PathBuf,
}

impl Site {
    pub async fn new() -> Self {
        Self { database: cluster::database().await, dir: scratch::folder("site") }
    }

    /// Another server over the same database, with a folder of its own.
    pub fn neighbour(&self) -> Self {
        Self { database: self.database.clone(), dir: scratch::folder("site") }
    }

    /// The parts of a server that has not looked around yet.
    pub async fn app(&self) -> AppState {
        let address = "127.0.0.1:7440".parse().unwrap();
        let (app, _queues) = AppState::new(AppParts {
            public_url: PublicUrl::of_listener(address),
            listen_host: address.to_string(),
            insecure: false,
            demo: false,
            trusted_proxies: Vec::new(),
            pools: store::connect(&self.database).await.unwrap(),
            notary: Notary::open(&self.dir).unwrap(),
            clock: Clock::default(),
        });
        app
    }

    /// A server as it is once it serves.
    pub async fn start(&self) -> AppState {
        let app = self.app().await;
        checkpoint::open(&app).await.unwrap();
        app
    }
}

/// Somebody at the machine.
pub fn peer() -> LocalPeer {
    LocalPeer::admit(0, 0).unwrap()
}

/// Does whatever a superuser of the database can do.
pub async fn sql(db: &PgPool, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements)).execute(db).await.unwrap();
}

/// One number from the database.
pub async fn number(db: &PgPool, query: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(db).await.unwrap()
}

/// Writes `count` rows in one transaction.
pub async fn write(db: &PgPool, count: i64) {
    let rows = format!(
        "insert into events (kind, actor, payload, at)
        select 'profile.changed', 'person:ann', json_build_object('n', n), clock_timestamp() from generate_series(1, {count}) n"
    );
    sql(db, &rows).await;
}

/// Seals until nothing is left, and answers how many rows that were. Other tests' transactions in the same cluster hold
/// the journal back as any writer does, so one call may not be enough.
pub async fn settle(app: &AppState) -> u64 {
    let mut total = 0;
    let left = "select count(*) - coalesce((select sum(row_count) from journal_blocks), 0)::bigint from events";
    for _ in 0..12_000 {
        total += seal::seal(app).await.unwrap();
        if number(&app.db, left).await == 0 {
            return total;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("some transaction of the cluster has been open for a minute");
}

/// A clean stop.
pub async fn close(app: &AppState) {
    settle(app).await;
    checkpoint::close(app).await.unwrap();
}

/// Verifies with the server's own fingerprint trusted.
pub async fn report(app: &AppState) -> Report {
    let trust = Trust { fingerprints: vec![app.notary.fingerprint()], restores: Vec::new() };
    verify::verify(app, peer(), trust).await.unwrap()
}

/// The kinds of damage in a report, each once.
pub fn damage(report: &Report) -> Vec<Damage> {
    let mut kinds: Vec<Damage> = report.findings.iter().map(|finding| finding.damage).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

pub fn assert_whole(report: &Report) {
    assert!(report.is_whole(), "{report:#?}");
}
