//! Who listens on a socket, and which frames are theirs to see.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::{App, AppState};
use crate::auth::extract::has_bearer;
use crate::auth::{Agent, Person};
use crate::domain::access::{self, Grant, Target, Verb};
use crate::domain::event::{Actor, EventKind};
use crate::domain::risk::Risk;
use crate::error::{Error, Result};
use crate::hub::frame::Frame;
use crate::store;

/// A person with a session, or an agent in its lane. Holds as little as it can: there may be thousands.
#[derive(Debug)]
pub enum Watcher {
    /// A person.
    Person(Box<Watching>),
    /// An agent, by lane.
    Agent {
        /// Its token, which must stay good.
        token: Uuid,
        /// Its lane.
        lane: Uuid,
    },
}

/// A person on a socket.
#[derive(Debug)]
pub struct Watching {
    session: Uuid,
    user: Uuid,
    name: String,
    grants: Vec<Grant>,
}

impl FromRequestParts<AppState> for Watcher {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        if has_bearer(&parts.headers) {
            let agent = Agent::from_request_parts(parts, app).await?;
            return Ok(Self::Agent { token: agent.token_id(), lane: agent.lane().id });
        }
        let person = <Person as FromRequestParts<AppState>>::from_request_parts(parts, app).await?;
        Ok(Self::Person(Box::new(Watching {
            session: person.session_id(),
            user: person.user_id(),
            name: person.name().to_owned(),
            grants: person.grants().to_vec(),
        })))
    }
}

impl Watcher {
    /// Whether it is an agent, which comes without an origin.
    pub fn is_agent(&self) -> bool {
        matches!(self, Self::Agent { .. })
    }

    /// Reads again whether the credential is good and what it may see; false means: close.
    pub async fn refresh(&mut self, app: &App) -> Result<bool> {
        let mut conn = app.db.acquire().await?;
        let now = store::now(&mut conn, app.clock.offset_us()).await?;
        match self {
            Self::Person(person) => {
                person.grants = store::grants::held_by(&mut conn, person.user).await?;
                Ok(store::sessions::is_live(&mut conn, person.session, now).await?)
            }
            Self::Agent { token, .. } => Ok(store::tokens::is_live(&mut conn, *token, now).await?),
        }
    }

    /// Whether the frame says that this listener's rights may have changed: then [`Watcher::refresh`] is due.
    pub fn is_concerned(&self, frame: &Frame) -> bool {
        let names = |member: &str, id: Uuid| {
            // A frame that does not say whom it is about may be about anybody.
            frame.data.get(member).is_none_or(|said| said.as_str().is_none_or(|said| said == id.to_string()))
        };
        match (EventKind::from_word(&frame.kind), self) {
            (Some(EventKind::InstanceRestored), _) => true,
            (Some(EventKind::SessionClosed), Self::Person(person)) => names("session_id", person.session),
            (Some(EventKind::UserRemoved | EventKind::GrantGiven | EventKind::GrantRevoked), Self::Person(person)) => {
                names("user_id", person.user)
            }
            (Some(EventKind::TokenRevoked), Self::Agent { token, .. }) => names("token_id", *token),
            _ => false,
        }
    }

    /// Whether this listener may see the frame.
    pub fn sees(&self, frame: &Frame, now: DateTime<Utc>) -> bool {
        let Some(place) = frame.place.filter(|_| is_of_a_lane(&frame.kind)) else {
            return self.sees_everywhere(frame, now);
        };
        match self {
            Self::Person(person) => access::at_place(&person.grants, Verb::Read, place, now),
            Self::Agent { lane, .. } => place.1 == *lane,
        }
    }

    /// What concerns every lane: that the policy has changed, that all is paused. It is a hint to whoever may read anything.
    fn sees_everywhere(&self, frame: &Frame, now: DateTime<Utc>) -> bool {
        let kinds = [EventKind::SupervisionChanged, EventKind::SupervisionPaused, EventKind::SupervisionResumed];
        let concerns = kinds.iter().any(|kind| frame.kind == kind.as_str());
        match self {
            Self::Person(person) => concerns && access::anywhere(&person.grants, Verb::Read, now),
            Self::Agent { .. } => concerns,
        }
    }

    /// Whom a `notified` receipt names, if this listener may decide what the frame is about.
    pub fn notified(&self, frame: &Frame, now: DateTime<Utc>) -> Option<String> {
        let Self::Person(person) = self else { return None };
        let (project, lane) = frame.place?;
        let class = frame.class.as_deref()?;
        let risk = Risk::from_word(frame.risk.as_deref().unwrap_or_default());
        access::may_decide(&person.grants, Target { project, lane, class, risk }, now).ok()?;
        Some(Actor::Person(&person.name).to_string())
    }
}

/// Whether frames of this kind are for those who may see the lane.
fn is_of_a_lane(kind: &str) -> bool {
    ["proposal.", "pane.", "needs_you.", "mail.", "ticket."].iter().any(|of| kind.starts_with(of))
        || kind == EventKind::SupervisionActed.as_str()
}
