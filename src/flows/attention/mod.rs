//! A person is needed: raised once an episode, cleared when somebody has acted or the cause is gone.

pub mod approvers;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Person;
use crate::domain::access;
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::{Error, Result};
use crate::flows::proposals::reviews;
use crate::store;
use crate::store::attentions::{self, Attention, Cleared, NewAttention};
use crate::store::events::{self, NewEvent};

/// An open episode, as clients see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Needed {
    /// Its id: `attention_id` of the events `needs_you.raised` and `needs_you.cleared`.
    pub id: Uuid,
    /// The lane in which somebody is needed.
    pub lane: String,
    /// Why: a stable word.
    pub cause: String,
    /// The same for a person, in a few words.
    pub head: Option<&'static str>,
    /// A sentence.
    pub detail: String,
    /// The proposal it is about, if it is about one.
    pub proposal_id: Option<Uuid>,
    /// Since when.
    pub raised_at: DateTime<Utc>,
}

impl From<Attention> for Needed {
    fn from(open: Attention) -> Self {
        let Attention { id, lane, cause, proposal_id, detail, raised_at, .. } = open;
        Self { id, lane, head: Cause::from_word(&cause).map(Cause::head), cause, detail, proposal_id, raised_at }
    }
}

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

/// Whether a person is one of those who are needed.
pub fn may_see_to(person: &Person, open: &Attention) -> bool {
    may(person.grants(), open, person.now())
}

fn may(grants: &[access::Grant], open: &Attention, now: DateTime<Utc>) -> bool {
    let verb = Cause::from_word(&open.cause).map_or(access::Verb::Nudge, Cause::asks_for);
    access::at_place(grants, verb, (open.project_id, open.lane_id), now)
}

/// What a person is needed for, beside the proposals that wait.
pub async fn mine(conn: &mut PgConnection, person: &Person) -> Result<Vec<Attention>> {
    let mut open = attentions::open_where(conn, &reviews::visible(person)).await?;
    open.retain(|one| !Cause::from_word(&one.cause).is_some_and(Cause::is_the_proposal) && may_see_to(person, one));
    Ok(open)
}

/// A person says that they have seen to it. A dialog that waits is not seen to: it is decided.
pub async fn see_to(app: &App, person: &Person, (lane, id): (&str, Uuid)) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let grants = person.confirm(&mut tx, now).await?;
    let open = attentions::lock(&mut tx, id).await?.filter(|open| open.lane == lane);
    let open = open.ok_or_else(Error::not_found)?;
    let place = (open.project_id, open.lane_id);
    if !access::at_place(&grants, access::Verb::Read, place, now) {
        return Err(Error::not_found());
    }
    if Cause::from_word(&open.cause).is_some_and(Cause::is_the_proposal) {
        return Err(Error::invalid("id", "This dialog waits for an answer: decide it."));
    }
    if !may(&grants, &open, now) {
        return Err(Error::forbidden("Only somebody who may act in this lane can say that it is seen to."));
    }
    let cleared = attentions::clear_one(&mut tx, id, now).await?;
    tell_cleared(&mut tx, cleared, &person.actor(), now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
