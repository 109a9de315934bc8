//! What waits for a person, grouped by lane.

mod show;

use askama::Template;

use super::frame::Frame;
use super::needs::Need;
use super::when::{Left, When};
use super::words;
use crate::domain::risk::Risk;
use crate::domain::text::Shown;

pub(super) use show::beginning;
pub use show::{handle, items, urgency};

/// `/`
#[derive(Debug, Template)]
#[template(path = "pages/inbox.html")]
pub struct Inbox {
    /// The frame.
    pub frame: Frame,
    /// What else the reader is needed for.
    pub needs: Vec<Need>,
    /// The lanes with something waiting, worst first.
    pub groups: Vec<Group>,
    /// What to do next, as long as something is missing.
    pub start: Option<Start>,
    /// What happened without the reader.
    pub meanwhile: Meanwhile,
    /// How many more wait than one page lists.
    pub more: usize,
    /// The reader has no role anywhere.
    pub stranger: bool,
}

/// A lane with what waits in it.
#[derive(Debug)]
pub struct Group {
    /// The lane's name.
    pub lane: String,
    /// What is known about it: `2 agents`.
    pub about: String,
    /// What waits, by risk and then by age.
    pub items: Vec<Item>,
}

/// One proposal in a list.
#[derive(Debug)]
pub struct Item {
    /// The proposal's id.
    pub id: String,
    /// How much a wrong approval could cost.
    pub risk: Risk,
    /// The server's sentence.
    pub sentence: String,
    /// The act's name, as the agent gave it; a dialog has a class instead.
    pub action: Shown,
    /// The class of a dialog, in words.
    pub class: Option<&'static str>,
    /// The beginning of the command, if there is one.
    pub command: Option<Shown>,
    /// How many characters of the command are not in this list.
    pub command_rest: usize,
    /// The agent's title.
    pub says: Shown,
    /// What else the server knows: votes, an earlier rejection, why the reader may not decide.
    pub notes: Vec<String>,
    /// Something in it cannot be seen or misleads.
    pub misleading: bool,
    /// When it was asked.
    pub asked: When,
    /// Until when it can be decided.
    pub left: Option<Left>,
}

/// The steps from an empty installation to the first proposal.
#[derive(Debug)]
pub struct Start {
    /// The address for clients.
    pub url: String,
    /// A project is there.
    pub project: bool,
    /// A lane is there.
    pub lane: bool,
    /// An agent is there.
    pub agent: bool,
}

/// What happened lately, so that silence can be trusted.
#[derive(Debug, Default)]
pub struct Meanwhile {
    /// Agents that called within the last minutes.
    pub agents: usize,
    /// Decided by people today.
    pub decided: usize,
    /// The last decision, as `Approved by maria`, and when.
    pub last: Option<(String, When)>,
}

impl Inbox {
    /// How many wait.
    pub fn count(&self) -> usize {
        self.needs.len() + self.groups.iter().map(|group| group.items.len()).sum::<usize>()
    }
}

impl Item {
    /// The risk in words.
    pub fn risk_word(&self) -> &'static str {
        words::risk(self.risk)
    }
}

impl Meanwhile {
    /// How many agents, in words.
    pub fn agents_word(&self) -> String {
        words::plural(self.agents, "agent")
    }
}
