//! The lanes a person may see.

use askama::Template;

use super::frame::Frame;
use super::when::When;
use super::words;

/// `/lanes`
#[derive(Debug, Template)]
#[template(path = "pages/lanes.html")]
pub struct Lanes {
    /// The frame.
    pub frame: Frame,
    /// The projects, by name.
    pub projects: Vec<Project>,
}

/// A project with its lanes.
#[derive(Debug)]
pub struct Project {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// Its lanes, by name.
    pub lanes: Vec<LaneRow>,
}

/// A lane in the list.
#[derive(Debug)]
pub struct LaneRow {
    /// Its name.
    pub name: String,
    /// Its agents.
    pub agents: usize,
    /// What waits in it.
    pub waiting: usize,
    /// The last time anything happened.
    pub active: Option<When>,
}

impl LaneRow {
    /// How many agents, in words.
    pub fn agents_word(&self) -> String {
        words::plural(self.agents, "agent")
    }
}
