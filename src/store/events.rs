//! The journal's rows: written with what they record, read by tail, page and export.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::event::{Actor, EventKind, Place};

/// A row to write.
#[derive(Debug)]
pub struct NewEvent<'a> {
    /// What happened.
    pub kind: EventKind,
    /// Who did it.
    pub actor: Actor<'a>,
    /// Where.
    pub place: Place,
    /// To which proposal, and its version after.
    pub proposal: Option<(Uuid, i32)>,
    /// The particulars.
    pub payload: Value,
    /// When, by the database's clock: the flow's one `now`.
    pub at: DateTime<Utc>,
}

/// Appends one row in the caller's transaction.
pub async fn append(conn: &mut PgConnection, event: NewEvent<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        event.place.project,
        event.place.lane,
        event.proposal.map(|(id, _)| id),
        event.proposal.map(|(_, version)| version),
        event.kind.as_str(),
        event.actor.to_string(),
        event.payload,
        event.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}
