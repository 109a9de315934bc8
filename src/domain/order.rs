//! Orders to a pane client: what it may report of one, and what follows from the report.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::ask::{BadField, bad};
use super::report::{EXCERPT_MAX, bounded, named};
use super::verdict::words;

/// How long a client has an order to itself before it counts as lost.
pub const LEASE: TimeDelta = TimeDelta::seconds(60);
/// How many orders one decision gets.
pub const ATTEMPTS: i32 = 5;
/// Most keys that a report lists.
const KEYS_MAX: usize = 32;

words! {
    /// What became of an order.
    Execution {
        /// The keys were sent, and the dialog went away.
        Sent "sent",
        /// Nothing was pressed.
        Skipped "skipped",
        /// Something was pressed or begun, and it is not known to have worked.
        Failed "failed",
    }
}

words! {
    /// Why nothing was pressed (contract, section 4).
    Skip {
        /// A key was sent for this instance before.
        LatchHeld "latch_held",
        /// The pane could not be read in time.
        CaptureTimeout "capture_timeout",
        /// The pane could not be read.
        CaptureFailed "capture_failed",
        /// It is not the dialog that was decided.
        StateChanged "state_changed",
        /// A dialog is in the way of a text.
        DialogPresent "dialog_present",
        /// The provider's usage limit is in the way.
        UsageLimitMenu "usage_limit_menu",
        /// Somebody scrolls in the pane.
        PaneInMode "pane_in_mode",
        /// The agent works.
        NotIdle "not_idle",
        /// The policy answers otherwise by now.
        PolicyChanged "policy_changed",
        /// Everything is paused.
        Paused "paused",
    }
}

/// The body of `POST /api/v1/orders/{id}/outcome`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeReport {
    /// What became of it.
    pub outcome: Execution,
    /// Why; a skip's is one of a list.
    #[serde(default)]
    pub reason: Option<String>,
    /// The keys that were sent.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The screen, for the record.
    #[serde(default)]
    pub pane_excerpt: Option<String>,
}

impl OutcomeReport {
    /// Checks every bound; the first field that fails is named.
    pub fn check(&self) -> Result<(), BadField> {
        let reason = self.reason.as_deref();
        reason.map_or(Ok(()), |reason| named("reason", reason))?;
        if self.outcome == Execution::Skipped && reason.and_then(Skip::from_word).is_none() {
            let known: Vec<&str> = Skip::ALL.iter().map(|skip| skip.as_str()).collect();
            return Err(bad("reason", format!("of a skip is one of {}", known.join(", "))));
        }
        if self.outcome == Execution::Failed && reason.is_none() {
            return Err(bad("reason", "is missing: say what failed"));
        }
        if self.keys.len() > KEYS_MAX {
            return Err(bad("keys", "takes at most 32 keys"));
        }
        for (index, key) in self.keys.iter().enumerate() {
            named(&format!("keys[{index}]"), key)?;
        }
        self.pane_excerpt.as_deref().map_or(Ok(()), |text| bounded("pane_excerpt", text, EXCERPT_MAX))
    }
}

/// What follows an order that is done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequel {
    /// Nothing: the dialog is answered.
    Done,
    /// Another order, not before so long after this one, once the same dialog is reported again.
    Again(TimeDelta),
    /// A person looks, and the same dialog, if still seen, is asked about again. It is never pressed again unasked.
    Person,
    /// The decision is void: what it was made for is gone.
    Void,
}

/// What follows an answer's `attempt` that ended like this; `legacy` is the seed's path of confirmed rules.
pub fn sequel(outcome: Execution, reason: Option<&str>, attempt: i32, legacy: bool) -> Sequel {
    match (outcome, reason.and_then(Skip::from_word)) {
        (Execution::Sent, _) => Sequel::Done,
        (Execution::Skipped, Some(Skip::StateChanged)) => Sequel::Void,
        // The seed's legacy path goes to people at the first skip.
        (Execution::Skipped, Some(skip)) if skip.can_pass() && attempt < ATTEMPTS && !legacy => {
            Sequel::Again(backoff(attempt))
        }
        (Execution::Skipped | Execution::Failed, _) => Sequel::Person,
    }
}

impl Skip {
    /// Whether the same answer may be possible a little later.
    const fn can_pass(self) -> bool {
        matches!(self, Self::PaneInMode | Self::CaptureTimeout | Self::CaptureFailed | Self::NotIdle | Self::Paused)
    }
}

/// 1, 2, 4, 8 seconds after the first, second, … attempt: a person who scrolls is soon done, or stays.
fn backoff(attempt: i32) -> TimeDelta {
    TimeDelta::seconds(1 << attempt.clamp(1, ATTEMPTS) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_an_order_has_its_sequel() {
        let skip = |skip: Skip, attempt| sequel(Execution::Skipped, Some(skip.as_str()), attempt, false);
        assert_eq!(sequel(Execution::Sent, None, 1, false), Sequel::Done);
        assert_eq!(sequel(Execution::Failed, Some("no_report"), 1, false), Sequel::Person);
        let passing = [Skip::PaneInMode, Skip::CaptureTimeout, Skip::CaptureFailed, Skip::NotIdle, Skip::Paused];
        for &each in Skip::ALL {
            let first = skip(each, 1);
            match each {
                Skip::StateChanged => assert_eq!(first, Sequel::Void),
                _ if passing.contains(&each) => assert_eq!(first, Sequel::Again(TimeDelta::seconds(1))),
                _ => assert_eq!(first, Sequel::Person),
            }
        }
        let waits: Vec<_> = (1..=6).map(|attempt| skip(Skip::PaneInMode, attempt)).collect();
        let again = |secs| Sequel::Again(TimeDelta::seconds(secs));
        assert_eq!(waits, [again(1), again(2), again(4), again(8), Sequel::Person, Sequel::Person]);
        assert_eq!(sequel(Execution::Skipped, Some("not_idle"), 1, true), Sequel::Person);
        assert_eq!(sequel(Execution::Skipped, Some("anything"), 1, false), Sequel::Person);
    }

    #[test]
    fn a_report_is_checked() {
        let report = |outcome, reason: Option<&str>| OutcomeReport {
            outcome,
            reason: reason.map(str::to_owned),
            keys: vec!["1".into()],
            pane_excerpt: None,
        };
        for (outcome, reason, field) in [
            (Execution::Sent, None, None),
            (Execution::Sent, Some("gone in 40 ms"), None),
            (Execution::Skipped, Some("not_idle"), None),
            (Execution::Skipped, Some("tired"), Some("reason")),
            (Execution::Skipped, None, Some("reason")),
            (Execution::Failed, None, Some("reason")),
            (Execution::Failed, Some("interrupted"), None),
        ] {
            assert_eq!(report(outcome, reason).check().err().map(|bad| bad.field).as_deref(), field);
        }
        let many = OutcomeReport { keys: vec!["1".into(); 33], ..report(Execution::Sent, None) };
        assert_eq!(many.check().unwrap_err().field, "keys");
    }
}
