//! A pane as its client reports it: what it does, and whether a text may go in.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::ask::{BadField, bad};
use super::report::{bounded, is_pane_key, named};
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

/// Longest tail of a turn, in bytes.
pub const TAIL_MAX: usize = 8 * 1024;
/// Longest unknown menu, in characters.
pub const DRIFT_MAX: usize = 8_000;

/// The end of what an agent said in a turn.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnTail {
    /// The text, at most 8 KiB.
    pub text: String,
    /// More stood before it.
    pub clipped: bool,
}

/// The program that reports.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientInfo {
    /// Its version.
    pub version: String,
    /// The machine it runs on.
    pub host: String,
}

/// The body of `PUT /api/v1/panes/{key}`.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own on the wire")]
pub struct PaneReport {
    /// The lane's name.
    pub lane: String,
    /// `claude`, `codex`, …
    pub agent_kind: String,
    /// The agent's session, if the client knows it.
    #[serde(default)]
    pub session_id: Option<String>,
    /// How it stands.
    pub status: PaneStatus,
    /// Text may be typed.
    pub safe_to_type: bool,
    /// It asks something in plain words.
    pub awaiting_input: bool,
    /// The agent has ended its turn.
    pub ended_turn: bool,
    /// The provider's limit is on the screen.
    pub limit: bool,
    /// Watched only: the client does not type there, and no text is ordered for it.
    pub external: bool,
    /// Since when the screen is unchanged.
    #[serde(default)]
    pub quiet_since: Option<DateTime<Utc>>,
    /// When the agent last did something.
    #[serde(default)]
    pub last_activity_at: Option<DateTime<Utc>>,
    /// What a turn has ended with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_tail: Option<TurnTail>,
    /// What looks like a menu at the foot of the screen, and no rule of the client knows: the program's wording has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<String>,
    /// The program that reports.
    #[serde(default)]
    pub client: Option<ClientInfo>,
}

impl PaneReport {
    /// Checks every bound; the first field that fails is named.
    pub fn check(&self, key: &str) -> Result<(), BadField> {
        if !is_pane_key(key) {
            return Err(bad("key", "has 1 to 64 of A-Z, a-z, 0-9, '.', '_', '-'"));
        }
        named("agent_kind", &self.agent_kind)?;
        self.session_id.as_deref().map_or(Ok(()), |text| named("session_id", text))?;
        if let Some(tail) = &self.turn_tail {
            bounded("turn_tail.text", &tail.text, TAIL_MAX)?;
            if tail.text.len() > TAIL_MAX {
                return Err(bad("turn_tail.text", "takes at most 8 KiB"));
            }
        }
        self.drift.as_deref().map_or(Ok(()), |text| bounded("drift", text, DRIFT_MAX))?;
        if let Some(client) = &self.client {
            named("client.version", &client.version)?;
            named("client.host", &client.host)?;
        }
        Ok(())
    }

    /// Whether a text may go in: neither over a dialog, whatever the client says, nor where it only watches.
    pub fn safe_to_type(&self) -> bool {
        self.safe_to_type && self.status == PaneStatus::Idle && !self.external
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
