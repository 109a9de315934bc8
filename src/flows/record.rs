//! The journal rows of acts that are about no proposal.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::domain::event::{Actor, EventKind, Place};
use crate::store::events::NewEvent;

/// A row about the installation as a whole.
pub(super) fn act(kind: EventKind, actor: Actor<'_>, payload: Value, at: DateTime<Utc>) -> NewEvent<'_> {
    NewEvent { kind, actor, place: Place::default(), proposal: None, payload, at }
}

/// The same row, in a project or lane.
pub(super) fn at(place: Place, row: NewEvent<'_>) -> NewEvent<'_> {
    NewEvent { place, ..row }
}
