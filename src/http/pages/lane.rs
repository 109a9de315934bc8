//! One lane: its agents, what waits, what was decided.

use askama::Template;

use super::frame::Frame;
use super::history::Row;
use super::inbox::Item;
use super::when::When;

/// `/lanes/{name}`
#[derive(Debug, Template)]
#[template(path = "pages/lane.html")]
pub struct Lane {
    /// The frame.
    pub frame: Frame,
    /// Its name.
    pub name: String,
    /// Its project.
    pub project: String,
    /// Its worktree.
    pub worktree: String,
    /// Its agents.
    pub agents: Vec<Agent>,
    /// What waits.
    pub waiting: Vec<Item>,
    /// What was decided last.
    pub decided: Vec<Row>,
}

/// An agent of the lane.
#[derive(Debug)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// It leads its project.
    pub lead: bool,
    /// Proposals in flight, and how many may be.
    pub pending: (usize, usize),
    /// When its token was used last.
    pub seen: Option<When>,
}
