//! Somebody sends mail to a lane: an agent within its project, an approver, the admin at the machine.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::told;
use crate::app::App;
use crate::auth::{Agent, LocalAdmin, Person};
use crate::domain::access::{self, Verb};
use crate::domain::event::{Actor, EventKind};
use crate::domain::mail::{MINUTE, QUEUE_MAX, check_body, must_wait};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::access::reached;
use crate::store::messages::{self, NewMessage};
use crate::store::{self, events, places, tokens};

/// Who sends.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// An agent, to a lane of its own project.
    Agent(&'a Agent),
    /// An approver of the lane.
    Person(&'a Person),
    /// The admin at the machine, anywhere.
    Admin(&'a LocalAdmin),
}

/// What is sent, and where.
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    /// The lane's name.
    pub lane: &'a str,
    /// What it says.
    pub body: &'a str,
    /// A message to the sender's own lane that it answers.
    pub reply_to: Option<Uuid>,
}

/// The body of `POST /api/v1/lanes/{lane}/mail`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// What it says: at most 8 KiB.
    pub body: String,
}

/// A message that was taken.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Sent {
    /// Its id.
    pub id: Uuid,
    /// The lane it goes to.
    pub lane: String,
    /// `queued`.
    pub state: String,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// The same words of this sender waited there already: it is that message.
    pub joined: bool,
}

impl By<'_> {
    fn actor(&self) -> Actor<'_> {
        match self {
            Self::Agent(agent) => agent.actor(),
            Self::Person(person) => person.actor(),
            Self::Admin(admin) => admin.actor(),
        }
    }

    /// Project and lane, for somebody who may send there; none where there is nothing for them.
    async fn reach(&self, tx: &mut PgConnection, lane: &str, now: DateTime<Utc>) -> Result<Option<(Uuid, Uuid)>> {
        match self {
            Self::Agent(agent) => {
                if !tokens::is_live(tx, agent.token_id(), now).await? {
                    return Err(Error::unauthenticated());
                }
                let found = places::lane(tx, lane).await?.map(|(id, project)| (project, id));
                // Its own lane is one of its project: others may work there too.
                Ok(found.filter(|(project, _)| *project == agent.lane().project))
            }
            Self::Person(person) => {
                let grants = person.confirm(tx, now).await?;
                let Some((id, project)) = places::lane(tx, lane).await? else { return Ok(None) };
                let may = |verb| access::at_place(&grants, verb, (project, id), now);
                match (may(Verb::Read), may(Verb::Mail)) {
                    (false, _) => Ok(None),
                    (true, false) => Err(Error::forbidden("Approvers and admins of the lane send mail to its agents.")),
                    (true, true) => Ok(Some((project, id))),
                }
            }
            Self::Admin(admin) => {
                admin.confirm(tx, now).await?;
                Ok(places::lane(tx, lane).await?.map(|(id, project)| (project, id)))
            }
        }
    }

    fn own_lane(&self) -> Option<Uuid> {
        match self {
            Self::Agent(agent) => Some(agent.lane().id),
            Self::Person(_) | Self::Admin(_) => None,
        }
    }
}

/// Takes a message. The same words from the same sender, while they wait and nothing of them was typed, are the same
/// message: whoever lost the answer may ask again.
pub async fn send(app: &App, by: By<'_>, letter: &Letter<'_>) -> Result<Sent> {
    check_body(letter.body).map_err(|detail| Error::invalid("body", detail))?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let Some(place) = by.reach(&mut tx, letter.lane, now).await? else {
        tx.rollback().await?;
        journal(app, by, letter.lane).await?;
        return Err(Error::not_found());
    };
    if let Some(answered) = letter.reply_to {
        let known = match by.own_lane() {
            Some(own) => messages::went_to(&mut tx, answered, own).await?,
            None => false,
        };
        if !known {
            return Err(Error::invalid("reply_to", "reply_to takes the id of a message that your own lane was sent."));
        }
    }
    let sender = by.actor().to_string();
    messages::lock_sender(&mut tx, &sender).await?;
    let lane = letter.lane.to_owned();
    if let Some(same) = messages::same(&mut tx, place.1, (&sender, letter.body)).await? {
        return Ok(Sent { id: same.id, lane, state: same.state, created_at: same.created_at, joined: true });
    }
    room(&mut tx, (&sender, place.1), now).await?;
    let id = app.ids.new_id(now);
    let (from_lane, reply_to) = (by.own_lane(), letter.reply_to);
    messages::ensure(&mut tx, place.1).await?;
    let new = NewMessage { id, place, sender: &sender, from_lane, reply_to, body: letter.body, now };
    messages::insert(&mut tx, &new).await?;
    let payload = json!({ "message_id": id, "from": sender, "bytes": letter.body.len(), "reply_to": reply_to });
    events::append(&mut tx, told((EventKind::MailQueued, by.actor()), place, payload, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(Sent { id, lane, state: "queued".to_owned(), created_at: now, joined: false })
}

/// Whether a sender and a lane have room for one more.
async fn room(tx: &mut PgConnection, (sender, lane): (&str, Uuid), now: DateTime<Utc>) -> Result<()> {
    let (sent, first) = messages::sent_since(tx, sender, now - MINUTE).await?;
    if let Some(wait) = must_wait(sent, first, now) {
        let secs = u64::try_from(wait.num_milliseconds()).unwrap_or(0).div_ceil(1000).max(1);
        let detail = format!("You have sent {sent} messages within a minute. Send the next in {secs} s.");
        return Err(Problem::new(Code::SlowDown, detail).with("retry_after", secs).into());
    }
    let queued = messages::queued(tx, lane).await?;
    if queued >= QUEUE_MAX {
        let detail =
            format!("{queued} messages wait in this lane and nobody reads them. Send again when some are read.");
        return Err(Problem::new(Code::QueueFull, detail).into());
    }
    Ok(())
}

/// Somebody reached for a lane that is not theirs, or for none. An agent that reached for one that is there is journaled; a
/// name that nobody has is the caller's text, and no lane.
async fn journal(app: &App, by: By<'_>, lane: &str) -> Result<()> {
    if let By::Agent(agent) = by {
        let found = places::lane(&mut *app.db.acquire().await?, lane).await?;
        if found.is_some() {
            let caller = (agent.id(), agent.actor(), agent.place());
            reached(app, caller, json!({ "lane": lane, "wanted": "mail" })).await?;
        }
    }
    Ok(())
}
