//! How the delivery to a lane stands: one row a lane, which whoever delivers or serves its mail holds.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// The row.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Tries that came to nothing since the last that worked.
    pub attempts: i32,
    /// No other before this.
    pub next_at: Option<DateTime<Utc>>,
    /// The client whose pane got the last try.
    pub pane_client_id: Option<Uuid>,
    /// That pane.
    pub pane_key: Option<String>,
    /// That try may have typed something.
    pub bound: bool,
}

/// Makes a lane's row if there is none.
pub async fn ensure(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<()> {
    sqlx::query!("insert into mail_rounds (lane_id) values ($1) on conflict do nothing", lane).execute(conn).await?;
    Ok(())
}

/// A lane's row, held until the transaction ends; none where nobody has sent anything.
pub async fn lock(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Option<Round>> {
    sqlx::query_as!(
        Round,
        "select attempts, next_at, pane_client_id, pane_key, bound from mail_rounds where lane_id = $1 for update",
        lane,
    )
    .fetch_optional(conn)
    .await
}

/// The same; none while somebody else holds it.
pub async fn take(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Option<Round>> {
    sqlx::query_as!(
        Round,
        "select attempts, next_at, pane_client_id, pane_key, bound from mail_rounds where lane_id = $1
        for update skip locked",
        lane,
    )
    .fetch_optional(conn)
    .await
}

/// Writes how it stands now.
pub async fn save(conn: &mut PgConnection, lane: Uuid, round: &Round) -> sqlx::Result<()> {
    sqlx::query!(
        "update mail_rounds set attempts = $2, next_at = $3, pane_client_id = $4, pane_key = $5, bound = $6 where lane_id = $1",
        lane,
        round.attempts,
        round.next_at,
        round.pane_client_id,
        round.pane_key,
        round.bound,
    )
    .execute(conn)
    .await?;
    Ok(())
}
