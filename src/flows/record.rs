//! The journal rows of acts that are about no proposal, and what is said of those of supervision.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::domain::acted::Acted;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::{Error, Result};
use crate::store::events::NewEvent;

/// The particulars of what supervision did.
pub(super) fn particulars(acted: &Acted) -> Result<Value> {
    serde_json::to_value(acted).map_err(|error| Error::Internal(error.to_string()))
}

/// A row about the installation as a whole.
pub(super) fn act(kind: EventKind, actor: Actor<'_>, payload: Value, at: DateTime<Utc>) -> NewEvent<'_> {
    NewEvent { kind, actor, place: Place::default(), proposal: None, payload, at }
}

/// The same row, in a project or lane.
pub(super) fn at(place: Place, row: NewEvent<'_>) -> NewEvent<'_> {
    NewEvent { place, ..row }
}
