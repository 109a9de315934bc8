//! One attempt to type: what it saw last, what it typed, how it ended.

use std::time::Duration;

use super::{NotBegun, Target};
use crate::domain::order::{Execution, OutcomeReport, Skip};
use crate::domain::screen::{self, Reading, Screen};
use crate::pane::frame;
use crate::pane::tmux::{Pane, TmuxError};

/// How often it is tried while tmux holds a key or a text back.
pub(super) const TRIES: u32 = 3;
/// How long what was typed may take to show: a dialog to go, a mark to move, a text to appear and to leave.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked meanwhile.
pub(super) const STEP: Duration = Duration::from_millis(50);

/// Why an attempt ended without success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nothing was typed.
    Skip(Skip),
    /// Something was typed, or never can be.
    Fail(&'static str),
}

impl From<Skip> for Stop {
    fn from(skip: Skip) -> Self {
        Self::Skip(skip)
    }
}

/// Only before the first key: after it, an error is no skip any more.
impl From<TmuxError> for Stop {
    fn from(error: TmuxError) -> Self {
        Self::Skip(match error {
            TmuxError::Timeout => Skip::CaptureTimeout,
            // With the pane went what was decided on; it cannot come back, for ids are not given twice.
            TmuxError::NoPane | TmuxError::NoServer => Skip::StateChanged,
            TmuxError::Missing | TmuxError::Failed(_) => Skip::CaptureFailed,
        })
    }
}

/// One look at the pane.
#[derive(Debug)]
pub(super) struct Look {
    pub pane: Pane,
    pub screen: Screen,
    pub reading: Reading,
}

/// One attempt.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    pub target: Target<'a>,
    /// What was typed, or may have been.
    pub keys: Vec<String>,
    /// The last screen, for the record.
    last: String,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(target: Target<'a>) -> Self {
        Self { target, keys: Vec::new(), last: String::new() }
    }

    /// Looks at the pane now.
    pub(super) async fn look(&mut self) -> Result<Look, TmuxError> {
        let seen = self.target.tmux.look(&[&self.target.pane.id]).await?;
        let sight = seen.into_iter().next().ok_or(TmuxError::NoPane)?;
        let screen = sight.screen();
        self.last = frame::text(&screen);
        let reading = screen::read(self.target.agent, &screen);
        Ok(Look { pane: sight.pane, screen, reading })
    }

    /// Notes for good that typing begins.
    pub(super) async fn start(&self, before_key: impl Future<Output = Result<(), NotBegun>>) -> Result<(), Stop> {
        before_key.await.map_err(|why| match why {
            NotBegun::Ended => Skip::StateChanged.into(),
            NotBegun::Unnoted(error) => {
                tracing::error!(%error, pane = self.target.pane.id, "the order could not be noted before its key");
                Stop::Fail("not_noted_before_key")
            }
        })
    }

    /// The one report of this attempt.
    pub(super) fn report(self, end: Result<(), Stop>) -> OutcomeReport {
        let (outcome, reason) = match end {
            Ok(()) => (Execution::Sent, None),
            Err(Stop::Skip(skip)) => (Execution::Skipped, Some(skip.as_str().to_owned())),
            Err(Stop::Fail(reason)) => (Execution::Failed, Some(reason.to_owned())),
        };
        let pane_excerpt = Some(self.last).filter(|text| !text.is_empty());
        OutcomeReport { outcome, reason, keys: self.keys, pane_excerpt }
    }
}
