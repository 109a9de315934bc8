//! A pane as its client last reported it: what it does, and whether a text may go in.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::verdict::words;

/// How long a report counts (contract, section 4). An older one says nothing of what the pane does now.
pub const FRESH: TimeDelta = TimeDelta::seconds(30);

words! {
    /// How a pane stands.
    PaneStatus {
        /// It waits at its prompt.
        Idle "idle",
        /// The agent works.
        Working "working",
        /// A dialog is on the screen.
        Blocked "blocked",
        /// It cannot be told.
        Unknown "unknown",
    }
}

impl PaneStatus {
    /// Reads a word that was kept. One that this program does not know is of a pane that cannot be told.
    pub fn read(word: &str) -> Self {
        Self::from_word(word).unwrap_or(Self::Unknown)
    }
}

/// What counts when something is to be typed, or when somebody has to be sure that nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct PaneState {
    /// How it stands.
    pub status: PaneStatus,
    /// The last report is young enough to count.
    pub fresh: bool,
    /// Its client says that a text may go in.
    pub safe_to_type: bool,
    /// The agent has ended its turn.
    pub ended_turn: bool,
    /// The provider's limit stops the agent.
    pub limit: bool,
    /// Its client does not type there.
    pub external: bool,
}

impl PaneState {
    /// Whether the agent rests, with nothing on the screen that waits for somebody. A limit is no rest: nothing that is
    /// typed moves the agent before the reset, whatever else is said of its turn.
    pub fn rests(&self) -> bool {
        let at_rest = match self.status {
            PaneStatus::Idle => true,
            PaneStatus::Working => self.ended_turn,
            PaneStatus::Blocked | PaneStatus::Unknown => false,
        };
        at_rest && self.fresh && !self.limit && !self.external
    }

    /// Whether mail may be typed there.
    pub fn takes_text(&self) -> bool {
        self.rests() && self.safe_to_type
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_takes_text_only_at_rest_and_when_its_client_says_so() {
        let idle = PaneState {
            status: PaneStatus::Idle,
            fresh: true,
            safe_to_type: true,
            ended_turn: true,
            limit: false,
            external: false,
        };
        assert!(idle.takes_text());
        for other in [
            PaneState { status: PaneStatus::Blocked, ..idle },
            PaneState { status: PaneStatus::Unknown, ..idle },
            PaneState { status: PaneStatus::Working, ended_turn: false, ..idle },
            PaneState { fresh: false, ..idle },
            PaneState { safe_to_type: false, ..idle },
            PaneState { limit: true, ..idle },
            PaneState { external: true, ..idle },
        ] {
            assert!(!other.takes_text(), "{other:?}");
        }
        assert!(PaneState { safe_to_type: false, ..idle }.rests(), "a draft in its composer does not make it work");
    }
}
