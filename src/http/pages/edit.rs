//! Approving with an edit: the text, and what the edit changes.

use askama::Template;

use super::frame::Frame;
use super::review::Gesture;
use super::words;
use crate::domain::diff::Diff;
use crate::domain::risk::Risk;

/// `/p/{id}/edit`
#[derive(Debug, Template)]
#[template(path = "pages/edit.html")]
pub struct Edit {
    /// The frame.
    pub frame: Frame,
    /// The proposal's id.
    pub id: String,
    /// The digest that a decision echoes.
    pub digest: String,
    /// The lane's name.
    pub lane: String,
    /// How much a wrong approval could cost.
    pub risk: Risk,
    /// The text as edited so far.
    pub body: String,
    /// What the edit changes; `None` while it changes nothing.
    pub diff: Option<Diff>,
    /// The text has characters that a text field does not show.
    pub unseen: bool,
    /// What approving takes.
    pub gesture: Gesture,
    /// A reason is needed.
    pub reason: bool,
    /// The note as typed before.
    pub note: String,
    /// Why the last try did not work.
    pub problem: Option<String>,
}

impl Edit {
    /// The risk in words.
    pub fn risk_word(&self) -> &'static str {
        words::risk(self.risk)
    }
}
