//! One proposal: the server's facts first, the agent's words last, the decision in the thumb's reach.

mod decide;
pub mod dialog;
mod parts;
mod show;

use askama::Template;

use self::dialog::{Dialog, Mark, Press};
use super::frame::Frame;
use super::sentence::Sentence;
use super::when::{Left, When};
use super::words;
use crate::domain::diff::Diff;
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::domain::text::{Shown, Warnings};

pub(super) use decide::{Decided, decide_with, give_password};
pub use decide::{back, decide, reauth};
pub(super) use dialog::marked;
pub(super) use parts::gesture;
pub use show::handle;
pub(super) use show::{dialog_of, may_edit, open, refused};

/// `/p/{id}`
#[derive(Debug, Template)]
#[template(path = "pages/review.html")]
pub struct Review {
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
    /// The server's sentence.
    pub sentence: String,
    /// Why a person has to look, and what is remarkable.
    pub why: Vec<Sentence>,
    /// Until when it can be decided.
    pub left: Option<Left>,
    /// What cannot be seen or misleads, in the whole proposal.
    pub warnings: Warnings,
    /// What would run.
    pub command: Option<Shown>,
    /// Where it would run.
    pub worktree: String,
    /// What would be written.
    pub content: Content,
    /// What is asked.
    pub questions: Vec<Asked>,
    /// What the server knows.
    pub facts: Vec<Fact>,
    /// What the agent says.
    pub says: Says,
    /// From asked to executed.
    pub receipts: Vec<Receipt>,
    /// What the reader can do.
    pub state: State,
    /// So long that it has to be scrolled through before it can be approved.
    pub long: bool,
    /// What a dialog has beyond that.
    pub dialog: Option<Box<Dialog>>,
}

/// What would be written.
#[derive(Debug, Default)]
pub enum Content {
    /// Nothing.
    #[default]
    None,
    /// A change to what is there, or a patch.
    Diff(Diff),
    /// A text, and its size in words.
    Text(Shown, String),
}

/// One question.
#[derive(Debug)]
pub struct Asked {
    /// Its place, from 0: the name of its fields.
    pub index: usize,
    /// The question.
    pub text: Shown,
    /// The choices.
    pub choices: Vec<Choice>,
    /// Several may be chosen.
    pub multi: bool,
    /// The reader's own words are allowed.
    pub free_text: bool,
    /// The answer, once there is one: the reader's own words.
    pub answer: Option<Shown>,
    /// The reader's own words as typed before.
    pub typed: String,
}

/// A choice of a question.
#[derive(Debug)]
pub struct Choice {
    /// The label as sent back.
    pub value: String,
    /// The label as shown.
    pub label: Shown,
    /// It was chosen.
    pub chosen: bool,
}

/// Something the server knows.
#[derive(Debug)]
pub struct Fact {
    /// What it is about.
    pub name: &'static str,
    /// The fact, which may quote an agent.
    pub value: Shown,
    /// It is a name or a number, not words.
    pub code: bool,
}

/// What the agent says.
#[derive(Debug, Default)]
pub struct Says {
    /// The agent's name.
    pub agent: String,
    /// Its title.
    pub title: Shown,
    /// Its reasons.
    pub reasons: Option<Shown>,
}

/// A step on the way from asked to executed.
#[derive(Debug)]
pub struct Receipt {
    /// The step's name.
    pub name: &'static str,
    /// When it happened.
    pub at: Option<When>,
    /// Where things stand.
    pub now: bool,
}

/// What the reader can do.
#[derive(Debug)]
pub enum State {
    /// Decide.
    Open(Bar),
    /// Read, and learn why not more.
    Readonly(String),
    /// See what came of it.
    Closed(Box<Closed>),
}

/// The bar with the buttons.
#[derive(Debug)]
pub struct Bar {
    /// What approving takes.
    pub gesture: Gesture,
    /// A reason is needed to approve.
    pub reason: bool,
    /// The body can be edited and approved as edited.
    pub edit: bool,
    /// Approvals there are, and approvals it takes.
    pub votes: (u32, u32),
    /// Why the last try did not work.
    pub problem: Option<String>,
    /// The note as typed before.
    pub note: String,
    /// Open this sheet at once: `approve`, `reject`, or empty.
    pub sheet: &'static str,
    /// What the buttons press in the terminal.
    pub press: Press,
}

/// What approving takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    /// A tap.
    Tap,
    /// Holding the button; a second press where there is no script or no pointer.
    Hold,
    /// A second step with a reason.
    Confirm,
    /// A second step with the password.
    Password,
}

/// How it ended.
#[derive(Debug)]
pub struct Closed {
    /// How.
    pub status: Status,
    /// By whom; empty when by nobody.
    pub by: String,
    /// It was the reader.
    pub you: bool,
    /// When.
    pub at: When,
    /// The note to the agent, or why it was withdrawn.
    pub note: Option<Shown>,
    /// The edit, when it was approved with one.
    pub edit: Option<Diff>,
    /// What is true of the agent now: `The agent has it.`
    pub after: String,
    /// The next proposal that waits for the reader.
    pub next: Option<String>,
    /// The reader sent an answer that came too late.
    pub too_late: bool,
    /// The answer did not reach the terminal.
    pub stuck: bool,
}

impl Review {
    /// The risk in words.
    pub fn risk_word(&self) -> &'static str {
        words::risk(self.risk)
    }

    /// Whether a form for answers is needed.
    pub fn asks(&self) -> bool {
        !self.questions.is_empty()
    }

    /// Whether it is over.
    pub fn is_closed(&self) -> bool {
        matches!(self.state, State::Closed(_))
    }

    /// What the right button says.
    pub fn verb(&self) -> &'static str {
        if self.asks() { "Answer" } else { "Approve" }
    }

    /// The bar, while the proposal is open to the reader.
    pub fn bar(&self) -> Option<&Bar> {
        match &self.state {
            State::Open(bar) => Some(bar),
            State::Readonly(_) | State::Closed(_) => None,
        }
    }
}

impl Bar {
    /// What approving presses in the terminal.
    pub fn presses(&self) -> String {
        match &self.press {
            Press { choose: true, .. } => "presses the row you choose".into(),
            Press { yes: Some(row), .. } => format!("presses {row}"),
            Press { yes: None, .. } => "presses nothing".into(),
        }
    }
}

impl Closed {
    /// How it ended, in words.
    pub fn word(&self) -> &'static str {
        words::status(self.status)
    }

    /// Whether the agent may go on.
    pub fn good(&self) -> bool {
        matches!(self.status, Status::Approved | Status::Modified)
    }
}
