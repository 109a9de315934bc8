//! What becomes of messages: carried by an order, typed, nudged about, put back, read, given up.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Messages that an order was about, by what came of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The message.
    pub id: Uuid,
    /// It counts as delivered since this.
    pub delivered: bool,
}

/// A message that was given up.
#[derive(Clone, Copy, Debug)]
pub struct Failed {
    /// The message.
    pub id: Uuid,
    /// It may stand in a terminal in full.
    pub maybe_typed: bool,
}

/// Notes that an order carries these, or speaks of them.
pub async fn carry(conn: &mut PgConnection, ids: &[Uuid], order: Uuid) -> sqlx::Result<()> {
    sqlx::query!("update messages set order_id = $2 where id = any($1) and state = 'queued'", ids, order)
        .execute(conn)
        .await?;
    Ok(())
}

/// A line said that they are there. They are delivered when they are read.
pub async fn nudged(conn: &mut PgConnection, order: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update messages set nudged_at = $2, reason = null where order_id = $1 and state = 'queued'",
        order,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// It stands in the terminal in full; which were not delivered before.
pub async fn typed(conn: &mut PgConnection, order: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update messages set state = 'delivered', delivered_at = $2, delivered_by = 'pane', maybe_typed = true, reason = null
        where order_id = $1 and state = 'queued' returning id",
        order,
        now,
    )
    .fetch_all(conn)
    .await
}

/// The same, known only after the order was taken for lost: given up or not.
pub async fn delivered_late(conn: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update messages set state = 'delivered', delivered_at = $2, delivered_by = 'pane', reason = 'reported_late'
        where id = any($1) and state <> 'delivered' returning id",
        ids,
        now,
    )
    .fetch_all(conn)
    .await
}

/// A try came to nothing: they wait again. `tried` is false when no pane was tried at all.
pub async fn put_back(
    conn: &mut PgConnection,
    order: Uuid,
    (tried, maybe_typed): (bool, bool),
    reason: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update messages set order_id = null, attempts = attempts + $2::int, maybe_typed = maybe_typed or $3, reason = $4
        where order_id = $1 and state = 'queued' and nudged_at is null",
        order,
        i32::from(tried),
        maybe_typed,
        reason,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Gives up what was tried `attempts` times in a lane; oldest first.
pub async fn give_up(
    conn: &mut PgConnection,
    lane: Uuid,
    attempts: i32,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Failed>> {
    sqlx::query_as!(
        Failed,
        "with due as (
            select id from messages
            where lane_id = $1 and state = 'queued' and nudged_at is null and attempts >= $2 order by id for update
        ), given_up as (
            update messages set state = 'failed', failed_at = $3, failed_with = (select id from due order by id limit 1)
            where id in (select id from due) returning id, maybe_typed
        ) select id, maybe_typed from given_up order by id",
        lane,
        attempts,
        now,
    )
    .fetch_all(conn)
    .await
}

/// The groups of given up mail in a lane of which nobody has to be told any more: all of a group is delivered by now.
/// With `all`, every group: mail gets through again.
pub async fn settled_groups(conn: &mut PgConnection, lane: Uuid, all: bool) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        r#"with over as (
            select failed_with from messages where lane_id = $1 and failed_with is not null
            group by failed_with having $2 or bool_and(state = 'delivered')
        ), cleared as (
            update messages set failed_with = null where lane_id = $1 and failed_with in (select failed_with from over)
        )
        select failed_with as "group!" from over order by failed_with"#,
        lane,
        all,
    )
    .fetch_all(conn)
    .await
}

/// They were read in the inbox; which had not been, and which are delivered by it.
pub async fn read(conn: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<Vec<Settled>> {
    sqlx::query_as!(
        Settled,
        r#"with before as (
            select id, state from messages where id = any($1) and read_at is null for update
        ), after as (
            update messages m set read_at = $2, state = 'delivered', delivered_at = coalesce(m.delivered_at, $2),
                delivered_by = coalesce(m.delivered_by, 'inbox')
            from before b where m.id = b.id
        )
        select id, (state <> 'delivered') as "delivered!" from before order by id"#,
        ids,
        now,
    )
    .fetch_all(conn)
    .await
}

/// In a restored database all mail that waits may have been typed since the backup.
pub async fn doubt_all(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("update messages set maybe_typed = true where state = 'queued'").execute(conn).await?;
    Ok(())
}
