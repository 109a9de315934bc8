//! What was decided, by whom, and what came of it.

use askama::Template;

use super::frame::Frame;
use super::when::When;
use super::words;
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::domain::text::Shown;

/// `/history`
#[derive(Debug, Template)]
#[template(path = "pages/history.html")]
pub struct History {
    /// The frame.
    pub frame: Frame,
    /// The lanes to choose from, and which is chosen.
    pub lanes: Vec<Pick>,
    /// The outcomes to choose from.
    pub statuses: Vec<Pick>,
    /// What was found, newest first.
    pub rows: Vec<Row>,
    /// The address of the next page.
    pub older: Option<String>,
    /// A filter is on.
    pub filtered: bool,
}

/// A choice in a filter.
#[derive(Debug, Clone)]
pub struct Pick {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// It is on.
    pub on: bool,
}

/// One closed proposal.
#[derive(Debug)]
pub struct Row {
    /// The proposal's id.
    pub id: String,
    /// Its lane.
    pub lane: String,
    /// Its risk.
    pub risk: Risk,
    /// How it ended.
    pub status: Status,
    /// The server's sentence.
    pub sentence: String,
    /// The act's name.
    pub action: Shown,
    /// The agent's title.
    pub says: Shown,
    /// By whom; empty when by nobody.
    pub by: String,
    /// When it ended.
    pub at: When,
    /// Whether the agent has picked it up, in words.
    pub after: String,
    /// The note.
    pub note: Option<Shown>,
}

impl Row {
    /// How it ended, in words.
    pub fn word(&self) -> &'static str {
        words::status(self.status)
    }
}
