//! The journal, with filters and export.

mod show;

use askama::Template;

use super::frame::Frame;
use super::history::Pick;
use super::when::When;
use crate::domain::text::Shown;

pub use show::{export, handle};

/// `/audit`
#[derive(Debug, Template)]
#[template(path = "pages/audit.html")]
pub struct Audit {
    /// The frame.
    pub frame: Frame,
    /// The lanes to choose from.
    pub lanes: Vec<Pick>,
    /// The kinds to choose from.
    pub kinds: Vec<Pick>,
    /// The actor asked for.
    pub actor: String,
    /// First day, `YYYY-MM-DD`, in the reader's zone.
    pub from: String,
    /// Last day.
    pub to: String,
    /// What was found, newest first.
    pub rows: Vec<Entry>,
    /// The address of the next page.
    pub older: Option<String>,
    /// The filters as a query, for the exports; without `?`.
    pub query: String,
    /// What vouches for the journal.
    pub seal: Option<Seal>,
    /// A filter is on.
    pub filtered: bool,
}

/// One row of the journal.
#[derive(Debug)]
pub struct Entry {
    /// Its number.
    pub id: String,
    /// What happened.
    pub kind: String,
    /// Who, as the journal names them.
    pub actor: String,
    /// Where.
    pub lane: Option<String>,
    /// The proposal it is about.
    pub proposal: Option<String>,
    /// The payload, as one line a field.
    pub details: Vec<(String, Shown)>,
    /// The payload was redacted.
    pub redacted: bool,
    /// When.
    pub at: When,
}

/// The newest block and checkpoint.
#[derive(Debug)]
pub struct Seal {
    /// Rows that are sealed.
    pub height: String,
    /// The start of the newest hash.
    pub hash: String,
    /// The newest checkpoint.
    pub checkpoint: Option<When>,
}
