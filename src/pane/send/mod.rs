//! The hand: the only code that types into a pane, after looking again, and its one report.

mod answer;
mod attempt;
mod guard;
mod held;
mod strike;
mod text;

use std::io;

use self::attempt::Attempt;
pub(in crate::pane) use self::strike::Hand;
use super::digest::ScreenDigest;
use super::tmux::Tmux;
use crate::domain::facts::PaneIdentity;
use crate::domain::order::OutcomeReport;
use crate::domain::screen::AgentKind;

/// Where to type.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The server.
    pub tmux: &'a Tmux,
    /// The pane as it was when the decision was asked for, or last seen.
    pub pane: &'a PaneIdentity,
    /// The program in it.
    pub agent: AgentKind,
}

/// What was decided, for one dialog as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The dialog.
    pub screen: ScreenDigest,
    /// The digest of the facts that were posted with it.
    pub facts: String,
    /// The row to press.
    pub option: u32,
    /// Its text.
    pub option_text: String,
}

/// What to type.
#[derive(Clone, Copy, Debug)]
pub enum Errand<'a> {
    /// One row of the dialog that is open.
    Answer(&'a Decided),
    /// A text for an idle agent, then Enter.
    Text(&'a str),
}

/// Why an order may not begin.
#[derive(Debug)]
pub enum NotBegun {
    /// What it was for has ended meanwhile.
    Ended,
    /// That it begins could not be written down. Without that note nobody would know of it after a crash.
    Unnoted(io::Error),
}

impl From<io::Error> for NotBegun {
    fn from(error: io::Error) -> Self {
        Self::Unnoted(error)
    }
}

/// Looks again, types if everything is as it was decided, looks what became of it, and reports exactly one outcome.
///
/// `facts` reads the facts' digest afresh, and is nothing when they cannot be read; it runs only for an answer whose
/// dialog is still there. `before_key` notes for good that the order was started; it runs right before the first key,
/// and if it fails nothing is typed. Neither runs twice.
pub async fn verified_send(
    target: Target<'_>,
    errand: Errand<'_>,
    facts: impl Future<Output = Option<String>>,
    before_key: impl Future<Output = Result<(), NotBegun>>,
) -> OutcomeReport {
    let mut attempt = Attempt::new(target);
    let end = match errand {
        Errand::Answer(decided) => answer::press(&mut attempt, decided, facts, before_key).await,
        Errand::Text(text) => text::deliver(&mut attempt, text, before_key).await,
    };
    attempt.report(end)
}
