//! Taking orders and being done with them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::JsonValue;
use uuid::Uuid;

/// Leases an order to its client; false when it is no longer queued.
pub async fn take(
    conn: &mut PgConnection,
    id: Uuid,
    (now, until): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update orders set state = 'taken', taken_at = $2, leased_until = $3 where id = $1 and state = 'queued'",
        id,
        now,
        until,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Holds an order that its client has not taken; false when it has, or somebody else holds it. Nobody waits here.
pub async fn try_lock_queued(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let row = sqlx::query!(
        "select 1 as one from orders where id = $1 and state = 'queued' for no key update skip locked",
        id,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// Writes what became of an order, once; false when it is done with already.
pub async fn finish(
    conn: &mut PgConnection,
    id: Uuid,
    (outcome, reason, keys): (&str, Option<&str>, Option<JsonValue>),
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update orders set state = 'done', outcome = $2, reason = $3, keys = $4, done_at = $5 where id = $1 and state <> 'done'",
        id,
        outcome,
        reason,
        keys,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Keeps what was reported after the lease ran out.
pub async fn note_late(conn: &mut PgConnection, id: Uuid, late: &JsonValue) -> sqlx::Result<()> {
    sqlx::query!("update orders set late = $2 where id = $1 and late is null", id, late).execute(conn).await?;
    Ok(())
}
