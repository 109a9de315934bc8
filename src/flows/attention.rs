//! A person is needed: raised once an episode, cleared when somebody has acted or the cause is gone.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::store::attentions::{self, NewAttention};
use crate::store::events::{self, NewEvent};

/// An episode to raise.
#[derive(Debug)]
pub(super) struct Episode<'a> {
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Its cause, a stable word.
    pub cause: &'a str,
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
                "attention_id": id, "cause": episode.cause, "detail": episode.detail, "of": episode.proposal,
            }),
            at: now,
        };
        events::append(tx, row).await?;
    }
    Ok(())
}

/// Clears the open episodes of a proposal, and of those it stands in for.
pub(super) async fn clear(
    tx: &mut PgConnection,
    (place, proposal): ((Uuid, Uuid), Uuid),
    actor: &Actor<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    for (id, cause) in attentions::clear_of(tx, proposal, now).await? {
        let row = NewEvent {
            kind: EventKind::NeedsYouCleared,
            actor: actor.clone(),
            place: Place::lane(place.0, place.1),
            proposal: None,
            payload: json!({ "attention_id": id, "cause": cause, "of": proposal }),
            at: now,
        };
        events::append(tx, row).await?;
    }
    Ok(())
}
