//! Stalls of agents, one row each from the first nudge to the first sign of life.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::typing::Typing;

/// A stall that is not over.
#[derive(Clone, Debug)]
pub struct Episode {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// Whose pane it is.
    pub pane_client_id: Uuid,
    /// The pane.
    pub pane_key: String,
    /// The agent's session when it began.
    pub session_id: Option<String>,
    /// When it was first nudged.
    pub started_at: DateTime<Utc>,
    /// Since when nothing has moved.
    pub still_since: DateTime<Utc>,
    /// Nudges so far.
    pub nudges: i32,
    /// Those of them that were typed.
    pub typed: i32,
    /// When the last one was taken.
    pub taken_at: Option<DateTime<Utc>>,
    /// When it was ordered, or done with.
    pub last_nudge_at: Option<DateTime<Utc>>,
    /// When a person was told.
    pub escalated_at: Option<DateTime<Utc>>,
    /// Its lane or its pane client was removed.
    pub gone: bool,
}

/// The columns stand once.
macro_rules! episode_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            Episode,
            r#"select e.id, e.project_id, e.lane_id, l.name::text as "lane!", e.pane_client_id, e.pane_key, e.session_id, e.started_at,
                e.still_since, e.nudges, e.typed, e.taken_at, e.last_nudge_at, e.escalated_at,
                (l.removed_at is not null or c.removed_at is not null) as "gone!"
            from stall_episodes e join lanes l on l.id = e.lane_id join pane_clients c on c.id = e.pane_client_id "# + $tail,
            $($arg),*
        )
    };
}

/// All that are not over.
pub async fn open(conn: &mut PgConnection) -> sqlx::Result<Vec<Episode>> {
    episode_rows!("where e.ended_at is null order by e.pane_client_id, e.pane_key",).fetch_all(conn).await
}

/// Those of a lane.
pub async fn open_in(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Vec<Episode>> {
    episode_rows!("where e.ended_at is null and e.lane_id = $1 order by e.id", lane).fetch_all(conn).await
}

/// That of a pane, held until the transaction ends.
pub async fn lock(conn: &mut PgConnection, (client, key): (Uuid, &str)) -> sqlx::Result<Option<Episode>> {
    episode_rows!("where e.ended_at is null and e.pane_client_id = $1 and e.pane_key = $2 for update of e", client, key)
        .fetch_optional(conn)
        .await
}

/// That of an order, if it is not over.
pub async fn of_order(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<Option<Episode>> {
    episode_rows!("where e.ended_at is null and e.order_id = $1", order).fetch_optional(conn).await
}

/// Begins one.
pub async fn begin(
    conn: &mut PgConnection,
    (id, pane): (Uuid, &Typing),
    (still_since, now): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into stall_episodes (id, project_id, lane_id, pane_client_id, pane_key, session_id, still_since, started_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        pane.project_id,
        pane.lane_id,
        pane.client,
        pane.key,
        pane.session_id,
        still_since,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Another nudge is ordered.
pub async fn nudge(conn: &mut PgConnection, id: Uuid, order: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update stall_episodes set nudges = nudges + 1, order_id = $2, last_nudge_at = $3, taken_at = null where id = $1",
        id,
        order,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A nudge is done with.
pub async fn nudged(conn: &mut PgConnection, order: Uuid, typed: bool, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update stall_episodes set typed = typed + $2::int, last_nudge_at = $3,
            taken_at = (select taken_at from orders where id = $1)
        where order_id = $1 and ended_at is null",
        order,
        i32::from(typed),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A nudge was taken back before anybody had it.
pub async fn take_back(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "update stall_episodes set nudges = greatest(nudges - 1, 0), order_id = null where order_id = $1 and ended_at is null",
        order,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A person was told.
pub async fn escalate(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update stall_episodes set escalated_at = $2 where id = $1", id, now).execute(conn).await?;
    Ok(())
}

/// It is over.
pub async fn end(conn: &mut PgConnection, id: Uuid, reason: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update stall_episodes set ended_at = $2, end_reason = $3 where id = $1", id, now, reason)
        .execute(conn)
        .await?;
    Ok(())
}
