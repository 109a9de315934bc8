//! What `countersign doctor` asks the database about itself.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::migrate::{Migrate, MigrateError};

/// The transaction that holds back what the tail may read, in whatever database of the cluster it is.
#[derive(Clone, Debug)]
pub struct Blocker {
    /// The process, to end with `pg_terminate_backend`; 0 for a prepared transaction.
    pub pid: i32,
    /// The database it is in.
    pub database: String,
    /// What it calls itself.
    pub application: String,
    /// What it is doing.
    pub state: String,
    /// How long its transaction has been open, in seconds.
    pub open_secs: f64,
    /// How long ago its last statement began, in seconds.
    pub statement_secs: f64,
}

/// Numbers about people and agents.
#[derive(Clone, Debug)]
pub struct Census {
    /// Open sessions.
    pub sessions: i64,
    /// Of those, without a request for six hours.
    pub idle_sessions: i64,
    /// Good tokens that nobody has used for thirty days.
    pub unused_tokens: i64,
    /// Agents with such tokens, the first few.
    pub unused_agents: Vec<String>,
}

/// The oldest transaction that writes, other than this one.
pub async fn blocker(conn: &mut PgConnection) -> sqlx::Result<Option<Blocker>> {
    sqlx::query_as!(
        Blocker,
        r#"select pid as "pid!", database as "database!", application as "application!", state as "state!",
                  open_secs as "open_secs!", statement_secs as "statement_secs!"
           from (
             select pid, coalesce(datname::text, '-') as database, coalesce(application_name, '-') as application,
                    coalesce(state, '-') as state,
                    coalesce(extract(epoch from clock_timestamp() - xact_start), 0)::float8 as open_secs,
                    coalesce(extract(epoch from clock_timestamp() - query_start), 0)::float8 as statement_secs,
                    age(backend_xid) as xid_age
             from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()
             union all
             select 0, database::text, gid, 'prepared transaction',
                    extract(epoch from clock_timestamp() - prepared)::float8, 0, age(transaction)
             from pg_prepared_xacts
           ) writing
           order by xid_age desc limit 1"#
    )
    .fetch_optional(conn)
    .await
}

/// The newest step of the schema that this database has taken.
pub async fn schema(conn: &mut PgConnection) -> Result<Option<i64>, MigrateError> {
    let steps = conn.list_applied_migrations(&super::MIGRATOR.table_name).await?;
    Ok(steps.iter().map(|step| step.version).max())
}

/// Counts people's sessions and agents' tokens.
pub async fn census(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<Census> {
    sqlx::query_as!(
        Census,
        r#"with open as (
             select seen_at from sessions where revoked_at is null and idle_until > $1 and expires_at > $1
           ), unused as (
             select a.name::text as name from tokens t join agents a on a.id = t.principal_id and a.removed_at is null
             where t.revoked_at is null and (t.expires_at is null or t.expires_at > $1)
               and coalesce(t.last_used_at, t.created_at) < $1 - interval '30 days'
           )
           select (select count(*) from open) as "sessions!",
                  (select count(*) from open where seen_at < $1 - interval '6 hours') as "idle_sessions!",
                  (select count(*) from unused) as "unused_tokens!",
                  coalesce((select array_agg(name) from (select distinct name from unused order by name limit 5) as few),
                           '{}') as "unused_agents!""#,
        now,
    )
    .fetch_one(conn)
    .await
}
