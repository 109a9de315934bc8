//! Making tickets and moving them on.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::rendezvous::Ticket;

/// A message to queue.
#[derive(Debug)]
pub struct NewTicket<'a> {
    /// Its id.
    pub id: Uuid,
    /// Project and lane of the member.
    pub place: (Uuid, Uuid),
    /// The lead's agent.
    pub from: Uuid,
    /// The member's pane.
    pub pane: (Uuid, &'a str),
    /// The session in it.
    pub session_id: &'a str,
    /// The message.
    pub content: &'a str,
    /// When.
    pub now: DateTime<Utc>,
}

/// Queues a message, behind all that wait for its pane.
pub async fn insert(conn: &mut PgConnection, new: &NewTicket<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into tickets (id, project_id, lane_id, from_agent_id, pane_client_id, pane_key, session_id, content, created_at,
            not_before)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
        new.id,
        new.place.0,
        new.place.1,
        new.from,
        new.pane.0,
        new.pane.1,
        new.session_id,
        new.content,
        new.now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Saves where a ticket is now.
pub async fn save(conn: &mut PgConnection, ticket: &Ticket) -> sqlx::Result<()> {
    sqlx::query!(
        "update tickets set not_before = $2, skips = $3, order_id = $4, sent_at = $5, picked_up_at = $6, idles = $7,
            turn_ended_at = $8, outcome = $9, result = $10, partial = $11, reason = $12, msg_id = $13, finished_at = $14
        where id = $1",
        ticket.id,
        ticket.not_before,
        ticket.skips,
        ticket.order_id,
        ticket.sent_at,
        ticket.picked_up_at,
        ticket.idles,
        ticket.turn_ended_at,
        ticket.outcome,
        ticket.result,
        ticket.partial,
        ticket.reason,
        ticket.msg_id,
        ticket.finished_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The lead puts an outcome away; false when it had before.
pub async fn acknowledge(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!("update tickets set acked_at = $2 where id = $1 and acked_at is null", id, now)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// The lead has the news.
pub async fn note_news(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update tickets set polled_at = $2 where id = $1", id, now).execute(conn).await?;
    Ok(())
}

/// The lead is nudged for these.
pub async fn note_nudge(conn: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update tickets set nudges = nudges + 1, nudged_at = $2 where id = any($1)", ids, now)
        .execute(conn)
        .await?;
    Ok(())
}
