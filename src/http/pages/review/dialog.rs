//! A dialog's own part of its review: how it was judged, which rows there are, what was on the screen.

mod build;
mod outcome;

use super::super::sentence::Sentence;
use super::super::suggest::Suggest;
use crate::domain::text::Shown;

pub(in crate::http::pages) use build::marked;
pub(super) use build::{build, press, why};
pub(super) use outcome::{after, by, ended, receipts, stuck};

/// What the page shows of a dialog beyond what every proposal has.
#[derive(Debug)]
pub struct Dialog {
    /// The agent kind, as words.
    pub agent_kind: String,
    /// What it asks for, in words, and the word of its class.
    pub class: (&'static str, &'static str),
    /// It is proven to stay inside.
    pub scoped: bool,
    /// The client could not read all of it.
    pub truncated: bool,
    /// Reasons that point at something in the command.
    pub notes: Vec<Sentence>,
    /// The hosts it names.
    pub hosts: Vec<Shown>,
    /// The paths it names.
    pub paths: Vec<PathLine>,
    /// The pane, by its key.
    pub pane: Shown,
    /// Where it would run.
    pub cwd: Shown,
    /// The rows.
    pub rows: Vec<Row>,
    /// Approving takes choosing a row.
    pub choose: bool,
    /// The screen.
    pub excerpt: Option<Shown>,
    /// The proposal that this one asks again.
    pub replaces: Option<String>,
    /// The proposal that asks this again.
    pub replaced_by: Option<String>,
    /// What the reader may suggest to the admin; none if nothing.
    pub suggest: Option<Suggest>,
}

/// A path that the command names.
#[derive(Debug)]
pub struct PathLine {
    /// As it stands in the command.
    pub word: Shown,
    /// Where it leads, if that is somewhere else.
    pub real: Option<Shown>,
    /// The client found it outside the repository.
    pub outside: bool,
    /// There is nothing there yet.
    pub missing: bool,
}

/// A row of the dialog.
#[derive(Debug)]
pub struct Row {
    /// Its number.
    pub n: u32,
    /// Its text.
    pub text: Shown,
    /// What it is for.
    pub mark: Mark,
    /// It was chosen, by the reader just now or by the decision.
    pub chosen: bool,
}

/// What a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Approving presses it.
    Approves,
    /// Rejecting presses it.
    Refuses,
    /// It is chosen at the terminal only, and why.
    Standing(&'static str),
    /// Nothing was found out about it.
    Plain,
}

/// What the two buttons press, as they say it.
#[derive(Debug, Clone, Default)]
pub struct Press {
    /// Approving: short, for the button.
    pub yes: Option<String>,
    /// Rejecting: short, for the button.
    pub no: Option<String>,
    /// Rejecting: the whole row.
    pub no_whole: Option<Shown>,
    /// Approving presses the row that the reader chooses.
    pub choose: bool,
}

impl Row {
    /// Whether a person may choose it from afar.
    pub fn open(&self) -> bool {
        matches!(self.mark, Mark::Approves | Mark::Plain)
    }
}
