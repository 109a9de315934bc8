//! The only SQL: checked statements as free functions on `&mut PgConnection`. It decides nothing.

pub mod acted;
pub mod agents;
pub mod attentions;
pub mod audit;
pub mod checkpoints;
pub mod dialogs;
pub mod doctor;
pub mod epoch;
pub mod events;
pub mod grants;
pub mod instance;
pub mod journal;
pub mod messages;
pub mod notices;
pub mod orders;
pub mod pane_clients;
pub mod panes;
pub mod people;
pub mod places;
pub mod policies;
pub mod proposals;
pub mod replays;
pub mod retention;
pub mod rules;
pub mod sessions;
pub mod shown;
pub mod stalls;
pub mod suggestions;
pub mod tail;
pub mod taints;
pub mod throttle;
pub mod tickets;
pub mod tokens;
pub mod typing;

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};

/// The schema, oldest step first.
pub static MIGRATOR: Migrator = sqlx::migrate!();

/// How many connections serve requests.
const POOL: u32 = 12;
/// How many are kept apart, so that a flood of creates cannot starve a decision.
const DECISION_POOL: u32 = 2;

/// A connection that was not used for this long is asked whether it lives: shorter than any restart of a database.
const RESTED: Duration = Duration::from_millis(200);

/// The two pools of a server.
#[derive(Clone, Debug)]
pub struct Pools {
    /// For everything but decisions.
    pub db: PgPool,
    /// For decisions alone.
    pub decisions: PgPool,
}

/// Connection options for a database address, with the limits that keep one stuck writer from holding up the tail:
/// a statement may take 5 s, a lock 2 s, an open transaction may idle 10 s (design, section 4).
pub fn connect_options(url: &str) -> sqlx::Result<PgConnectOptions> {
    let options: PgConnectOptions = url.parse()?;
    Ok(options.application_name("countersign").options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "2s"),
        ("idle_in_transaction_session_timeout", "10s"),
        ("timezone", "UTC"),
    ]))
}

/// Opens both pools. A person's decision waits a little longer for its turn than a request that can come again.
pub async fn connect(url: &str) -> sqlx::Result<Pools> {
    let options = connect_options(url)?;
    let pool = |size, patience| {
        PgPoolOptions::new()
            .max_connections(size)
            .acquire_timeout(Duration::from_secs(patience))
            .test_before_acquire(false)
            .before_acquire(|conn, seen| Box::pin(is_alive(conn, seen.idle_for)))
    };
    let db = pool(POOL, 2).connect_with(options.clone()).await?;
    let decisions = pool(DECISION_POOL, 5).connect_with(options).await?;
    Ok(Pools { db, decisions })
}

/// What a restart of the database has killed shows here, and costs nobody a refusal. A busy connection is not asked: that
/// would be a round trip for each use.
async fn is_alive(conn: &mut PgConnection, idle_for: Duration) -> sqlx::Result<bool> {
    Ok(idle_for < RESTED || conn.ping().await.is_ok())
}

/// One connection of its own, without the limits of requests: a migration may take longer, and a failure says its cause
/// where a pool would only say that it waited.
pub async fn dial(url: &str) -> sqlx::Result<PgConnection> {
    let options: PgConnectOptions = url.parse()?;
    PgConnection::connect_with(&options.application_name("countersign start")).await
}

/// Brings a database up to this program's schema. Refuses one that a newer program has moved on.
pub async fn migrate(url: &str) -> Result<(), MigrateError> {
    let mut conn = dial(url).await.map_err(MigrateError::Execute)?;
    MIGRATOR.run(&mut conn).await
}

/// The server's version as Postgres numbers it: 150004 is 15.4.
pub async fn server_version(conn: &mut PgConnection) -> sqlx::Result<i32> {
    sqlx::query_scalar!(r#"select current_setting('server_version_num')::int as "version!""#).fetch_one(conn).await
}

/// The database's clock, moved by the offset of [`crate::clock::Clock`].
pub async fn now(conn: &mut PgConnection, offset_us: i64) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar!(r#"select clock_at($1) as "now!""#, offset_us).fetch_one(conn).await
}

/// Whether a failed statement broke the named constraint.
pub fn on_constraint(error: &sqlx::Error, name: &str) -> bool {
    matches!(error, sqlx::Error::Database(db) if db.constraint() == Some(name))
}
