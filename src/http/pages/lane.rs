//! One lane: what is answered in it and what was, its panes and agents, what waits, what was decided.

mod activity;
mod panes;
mod policy;
mod show;
mod tickets;
mod traffic;

pub use activity::Acted;
pub(super) use panes::pane;
pub use policy::{ClassRow, Policy, supervised};
pub(super) use show::{Refused, Tried, find, page};
pub use show::{back, handle};
pub use tickets::Ticket;
pub use traffic::{Letter, Stall};

use askama::Template;

use super::frame::Frame;
use super::history::Row;
use super::inbox::Item;
use super::mail::Mail;
use super::needs::Need;
use super::nudge::Nudge;
use super::suggest::Suggest;
use super::when::When;
use crate::domain::text::Shown;

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
    /// What is answered in it without a person.
    pub policy: Policy,
    /// What was done by it, newest first.
    pub activity: Vec<Acted>,
    /// Its panes, as their clients last reported them.
    pub panes: Vec<Pane>,
    /// The line that the reader may have typed; none if they may not, or nobody would type it.
    pub nudge: Option<Nudge>,
    /// The mail that the reader may send; none if they may not.
    pub mail: Option<Mail>,
    /// What the reader may suggest; none if nothing.
    pub suggest: Option<Suggest>,
    /// Why a person is needed beyond what waits.
    pub needs: Vec<Need>,
    /// Mail that waits, has failed, or came last.
    pub letters: Vec<Letter>,
    /// Agents that have something to do and do nothing.
    pub stalls: Vec<Stall>,
    /// Messages between its agents, and to or from them, that have no outcome yet.
    pub tickets: Vec<Ticket>,
    /// Its agents.
    pub agents: Vec<Agent>,
    /// What waits.
    pub waiting: Vec<Item>,
    /// What was decided last.
    pub decided: Vec<Row>,
}

/// A pane of the lane.
#[derive(Debug)]
pub struct Pane {
    /// Its key.
    pub key: Shown,
    /// The agent kind.
    pub agent_kind: Shown,
    /// The status, in words.
    pub status: &'static str,
    /// It waits for a person.
    pub loud: bool,
    /// Since when.
    pub since: When,
    /// When it was last reported.
    pub reported: When,
    /// Who reports it: the client, its version, its machine.
    pub client: Shown,
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
