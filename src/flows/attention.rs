//! A person is needed: raised once an episode, cleared when somebody has acted or the cause is gone.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::store::attentions::{self, Cleared, NewAttention};
use crate::store::events::{self, NewEvent};

/// An episode to raise.
#[derive(Debug)]
pub(super) struct Episode<'a> {
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Its cause.
    pub cause: Cause,
    /// What tells it from others of the same cause.
    pub key: &'a str,
    /// The proposal it is about.
    pub proposal: Option<Uuid>,
    /// A sentence.
    pub detail: &'a str,
}

/// Raises an episode in the caller's transaction, once.
pub(super) async fn raise(app: &App, tx: &mut PgConnection, episode: &Episode<'_>, now: DateTime<Utc>) -> Result<()> {
    let id = app.ids.new_id(now);
    let new = NewAttention {
        id,
        place: episode.place,
        cause: episode.cause,
        episode: episode.key,
        proposal_id: episode.proposal,
        detail: episode.detail,
        now,
    };
    if attentions::raise(tx, &new).await? {
        let row = NewEvent {
            kind: EventKind::NeedsYouRaised,
            actor: Actor::System,
            place: Place::lane(episode.place.0, episode.place.1),
            proposal: None,
            payload: json!({
                "attention_id": id, "cause": episode.cause, "head": episode.cause.head(), "detail": episode.detail, "of": episode.proposal,
            }),
            at: now,
        };
        events::append(tx, row).await?;
    }
    Ok(())
}

/// Clears the open episodes of a proposal, and of those it stands in for.
pub(super) async fn clear(tx: &mut PgConnection, proposal: Uuid, actor: &Actor<'_>, now: DateTime<Utc>) -> Result<()> {
    let cleared = attentions::clear_of(tx, proposal, now).await?;
    tell_cleared(tx, cleared, actor, now).await
}

/// Clears one episode: its place, its cause, and what tells it from others. One that is not open stays as it is.
pub(super) async fn clear_episode(
    tx: &mut PgConnection,
    (place, cause, key): ((Uuid, Uuid), Cause, &str),
    actor: &Actor<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    let cleared = attentions::clear_episode(tx, place.1, (cause, key), now).await?;
    tell_cleared(tx, cleared, actor, now).await
}

/// Clears every open episode of a lane that is removed.
pub(super) async fn clear_lane(tx: &mut PgConnection, lane: Uuid, actor: &Actor<'_>, now: DateTime<Utc>) -> Result<()> {
    let cleared = attentions::clear_lane(tx, lane, now).await?;
    tell_cleared(tx, cleared, actor, now).await
}

/// Clears every open episode about a proposal: in a restored database they are void.
pub(super) async fn clear_all_of_proposals(tx: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
    let cleared = attentions::clear_all_of_proposals(tx, now).await?;
    tell_cleared(tx, cleared, &Actor::System, now).await
}

async fn tell_cleared(
    tx: &mut PgConnection,
    cleared: Vec<Cleared>,
    actor: &Actor<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    for Cleared { id, project_id, lane_id, cause, proposal_id } in cleared {
        let row = NewEvent {
            kind: EventKind::NeedsYouCleared,
            actor: actor.clone(),
            place: Place::lane(project_id, lane_id),
            proposal: None,
            payload: json!({ "attention_id": id, "cause": cause, "of": proposal_id }),
            at: now,
        };
        events::append(tx, row).await?;
    }
    Ok(())
}
