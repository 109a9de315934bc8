//! Failed sign-ins by account and source, so that a restart forgives nobody.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::throttle::Tries;

/// Which row: the account's hash and the source.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// SHA-256 of the account name as typed; of nothing for the source as a whole.
    pub account: &'a [u8],
    /// Where the attempt came from.
    pub source: &'a str,
}

/// Makes this transaction the only one that counts for the key, also before a row exists.
pub async fn lock(conn: &mut PgConnection, key: i64) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock($1)", key).execute(conn).await?;
    Ok(())
}

/// What was counted so far.
pub async fn find(conn: &mut PgConnection, key: Key<'_>) -> sqlx::Result<Option<Tries>> {
    sqlx::query_as!(
        Tries,
        r#"select failures, last_failure as "last", blocked_until from throttle where account = $1 and source = $2"#,
        key.account,
        key.source,
    )
    .fetch_optional(conn)
    .await
}

/// Writes the new count.
pub async fn save(conn: &mut PgConnection, key: Key<'_>, tries: &Tries) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into throttle (account, source, failures, last_failure, blocked_until) values ($1, $2, $3, $4, $5)
         on conflict (account, source) do update
         set failures = excluded.failures, last_failure = excluded.last_failure, blocked_until = excluded.blocked_until",
        key.account,
        key.source,
        tries.failures,
        tries.last,
        tries.blocked_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets an account's failures from a source: the password was right.
pub async fn clear(conn: &mut PgConnection, key: Key<'_>) -> sqlx::Result<()> {
    sqlx::query!("delete from throttle where account = $1 and source = $2", key.account, key.source)
        .execute(conn)
        .await?;
    Ok(())
}

/// Takes back the one attempt that was counted against the source and turned out good.
pub async fn give_back(conn: &mut PgConnection, key: Key<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "update throttle set failures = failures - 1 where account = $1 and source = $2 and failures > 1",
        key.account,
        key.source,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets what is too old to count.
pub async fn sweep(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("delete from throttle where last_failure < $1", before).execute(conn).await?;
    Ok(done.rows_affected())
}
