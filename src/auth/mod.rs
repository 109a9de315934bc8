//! The principals: proofs of power with private fields, minted only here and taken by flows in place of ids or role names.

pub mod credentials;
pub mod extract;
pub mod local;
pub mod mode;
pub mod pane;
mod pane_token;
pub mod password;
pub mod person;
pub mod reader;
pub mod session;
pub mod source;
pub mod throttle;
pub mod token;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::domain::access::Grant;
use crate::domain::event::{Actor, Place};
use crate::error::{Error, Result};

/// An agent whose bearer token was good. It may propose, look, and never decide.
#[derive(Clone, Debug)]
pub struct Agent {
    id: Uuid,
    name: String,
    lane: LaneRef,
    lead: bool,
    mounted: bool,
    token_id: Uuid,
}

/// An agent that leads its project: it may send to the sessions there. Nothing but its own row makes it one.
#[derive(Clone, Copy, Debug)]
pub struct Lead<'a>(&'a Agent);

/// A lane with its project, as a principal carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneRef {
    /// The lane's id.
    pub id: Uuid,
    /// The lane's name.
    pub name: String,
    /// Its project's id.
    pub project: Uuid,
}

/// A signed-in person with their grants as read for this request. What they may write is read again when they write.
#[derive(Clone, Debug)]
pub struct Person {
    user_id: Uuid,
    name: String,
    session_id: Uuid,
    reauth_at: DateTime<Utc>,
    time_zone: chrono_tz::Tz,
    grants: Vec<Grant>,
    now: DateTime<Utc>,
}

/// A pane client whose long-lived token was good: it may get a short-lived one, and nothing else.
#[derive(Clone, Debug)]
pub struct PaneSecret {
    id: Uuid,
    name: String,
    token_epoch: i32,
}

/// A pane client whose short-lived token was good, with its lanes as read for this request. What it may write is read
/// again when it writes ([`PaneClient::confirm`]).
#[derive(Clone, Debug)]
pub struct PaneClient {
    id: Uuid,
    name: String,
    token_epoch: i32,
    lanes: Vec<LaneRef>,
}

/// A process on the local socket with an allowed user id: it may read.
#[derive(Clone, Copy, Debug)]
pub struct LocalPeer {
    uid: u32,
}

/// An admin at the machine who gave their password for this one change.
#[derive(Clone, Debug)]
pub struct LocalAdmin {
    user_id: Uuid,
    name: String,
}

impl Agent {
    /// Its id.
    pub fn id(&self) -> Uuid {
        self.id
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The lane its token is bound to.
    pub fn lane(&self) -> &LaneRef {
        &self.lane
    }
    /// Whether it leads its project.
    pub fn is_lead(&self) -> bool {
        self.lead
    }
    /// Whether it was seen over MCP before this request.
    pub fn is_mounted(&self) -> bool {
        self.mounted
    }
    /// The power to send, for one that leads. Everybody else is refused in words.
    pub fn lead(&self) -> Result<Lead<'_>> {
        if self.lead {
            return Ok(Lead(self));
        }
        Err(Error::forbidden(
            "Only a lead of the project may do this. You are a member: answer with fleet_reply, ask with fleet_ask.",
        ))
    }
    /// The token it came with, which a writing statement checks again ([`crate::store::tokens::is_live`]).
    pub fn token_id(&self) -> Uuid {
        self.token_id
    }
    /// How the journal names it.
    pub fn actor(&self) -> Actor<'_> {
        Actor::Agent(&self.name)
    }
    /// Where its acts belong.
    pub fn place(&self) -> Place {
        Place::lane(self.lane.project, self.lane.id)
    }
}

impl<'a> Lead<'a> {
    /// The agent that leads.
    pub fn agent(self) -> &'a Agent {
        self.0
    }
}

impl Person {
    /// Their id.
    pub fn user_id(&self) -> Uuid {
        self.user_id
    }
    /// Their name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The session they came with.
    pub fn session_id(&self) -> Uuid {
        self.session_id
    }
    /// When they last gave their password in this session.
    pub fn reauth_at(&self) -> DateTime<Utc> {
        self.reauth_at
    }
    /// The zone their pages are in.
    pub fn time_zone(&self) -> chrono_tz::Tz {
        self.time_zone
    }
    /// Their grants, live or not, as read for this request.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }
    /// The database's time when this request was let in.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }
    /// How the journal names them.
    pub fn actor(&self) -> Actor<'_> {
        Actor::Person(&self.name)
    }
}

impl PaneClient {
    /// Its id.
    pub fn id(&self) -> Uuid {
        self.id
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// One of its lanes, by name.
    pub fn lane(&self, name: &str) -> Option<&LaneRef> {
        self.lanes.iter().find(|lane| lane.name == name)
    }
    /// Whether a lane is one of its own.
    pub fn watches(&self, lane: Uuid) -> bool {
        self.lanes.iter().any(|own| own.id == lane)
    }
    /// How the journal names it.
    pub fn actor(&self) -> Actor<'_> {
        Actor::PaneClient(&self.name)
    }
}

impl LocalPeer {
    /// The user id of the process.
    pub fn uid(&self) -> u32 {
        self.uid
    }
    /// How the journal names it.
    pub fn actor(&self) -> Actor<'static> {
        Actor::Local(self.uid)
    }
}

impl LocalAdmin {
    /// Their id.
    pub fn user_id(&self) -> Uuid {
        self.user_id
    }
    /// Their name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// How the journal names them.
    pub fn actor(&self) -> Actor<'_> {
        Actor::Admin(&self.name)
    }
}
