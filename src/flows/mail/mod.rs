//! Mail to lanes: sent, served in the inbox, handed over by pane clients, given up.

mod after;
pub mod deliver;
mod inbox;
pub mod keep;
mod send;
mod standing;

pub(in crate::flows) use after::{after, late};
pub use inbox::{Inbox, LIMIT_MAX, Served, inbox};
pub use send::{By, Letter, Mail, Sent, send};
pub(in crate::flows) use standing::fallen;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::mail::{Heading, typed};
use crate::store::events::NewEvent;
use crate::store::messages::MessageRow;

/// A row about mail. No body is ever in one.
fn told(
    (kind, actor): (EventKind, Actor<'_>),
    (project, lane): (Uuid, Uuid),
    payload: Value,
    now: DateTime<Utc>,
) -> NewEvent<'_> {
    NewEvent { kind, actor, place: Place::lane(project, lane), proposal: None, payload, at: now }
}

/// A message as it is typed, and whether that is all of it.
fn as_typed(message: &MessageRow) -> (String, bool) {
    let heading = Heading {
        id: message.id,
        sender: &message.sender,
        from_lane: message.from_lane.as_deref(),
        reply_to: message.reply_to,
    };
    typed(&heading, message.body.as_deref().unwrap_or_default())
}
