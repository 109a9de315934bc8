//! One frame of `GET /api/v1/events`, with what decides who may see it.

use std::sync::OnceLock;

use axum::extract::ws::Utf8Bytes;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

pub use crate::domain::cursor::Cursor;

/// What a socket is sent; every frame is a hint to look again.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// Where to resume after this frame.
    #[serde(serialize_with = "as_text")]
    pub cursor: Cursor,
    /// The kind, e.g. `proposal.decided`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// The proposal it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<Uuid>,
    /// The proposal's version after it; apply only a higher one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// The lane's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane: Option<String>,
    /// The particulars.
    pub data: Value,
    /// Project and lane, for those who may see only some.
    #[serde(skip)]
    pub place: Option<(Uuid, Uuid)>,
    /// Class or kind of the proposal, and its risk, for `notified`.
    #[serde(skip)]
    pub class: Option<String>,
    /// The proposal's risk.
    #[serde(skip)]
    pub risk: Option<String>,
    /// The agent that asked.
    #[serde(skip)]
    pub agent_id: Option<Uuid>,
    #[serde(skip)]
    pub(super) text: OnceLock<Option<Utf8Bytes>>,
}

impl Frame {
    /// The frame as it is sent: written once, however many sockets send it.
    pub fn text(&self) -> Option<Utf8Bytes> {
        let write = || serde_json::to_string(self).ok().map(Utf8Bytes::from);
        self.text.get_or_init(write).clone()
    }
}

fn as_text<S: serde::Serializer>(cursor: &Cursor, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(cursor)
}
