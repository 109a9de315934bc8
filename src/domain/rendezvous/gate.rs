//! The status gate: whether the head of a pane's queue may be typed now, must wait, or has failed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Failure, GONE_AFTER, GRACE, MOUNT_WINDOW};
use crate::domain::pane::{FRESH, PaneStatus};
use crate::domain::verdict::words;

words! {
    /// Why a message waits.
    Wait {
        /// Another message is before it.
        BehindAnother "behind_another",
        /// The member's token has made no call yet.
        NotMounted "not_mounted_yet",
        /// Everything is paused.
        Paused "paused",
        /// The turn of the message before it has not ended.
        TurnOpen "turn_open",
        /// It could not be typed a moment ago.
        Backoff "trying_again",
        /// The pane's state cannot be told.
        Unknown "unknown",
        /// The member works.
        Working "working",
        /// A dialog is on the member's screen.
        Blocked "blocked",
        /// The provider's limit is on the member's screen.
        Limit "usage_limit",
        /// Somebody has begun to type there.
        NotSafe "not_safe_to_type",
        /// Something else is being typed there, or just was.
        OtherText "other_text",
        /// It is on its way to the pane.
        OnItsWay "on_its_way",
    }
}

/// A pane as the gate sees it.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct PaneNow {
    /// The session in it.
    pub session_id: Option<String>,
    /// The status in the last report.
    pub status: String,
    /// Text may be typed.
    pub safe_to_type: bool,
    /// The provider's limit is on the screen.
    pub limit: bool,
    /// A dialog of it is open on the server.
    pub dialog_open: bool,
    /// When it was last reported.
    pub reported_at: DateTime<Utc>,
    /// A token of its agent has made a call.
    pub mounted: bool,
    /// Another text is ordered for it and not done with.
    pub other_text: bool,
    /// When a text was last typed, or may have been.
    pub typed_at: Option<DateTime<Utc>>,
    /// A message's turn is open.
    pub turn_open: bool,
    /// Everything is paused.
    pub paused: bool,
}

/// The head of the queue.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// The session that it was sent to.
    pub session_id: &'a str,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// Not before then.
    pub not_before: DateTime<Utc>,
}

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Type it.
    Deliver,
    /// Not now.
    Wait(Wait),
    /// Never.
    Fail(Failure),
}

impl PaneNow {
    /// The session is no longer where it was: another one is there, or nobody says that any is.
    pub fn has_lost(&self, session_id: &str, now: DateTime<Utc>) -> bool {
        self.session_id.as_deref() != Some(session_id) || now - self.reported_at >= GONE_AFTER
    }

    /// What it does as far as that is known at `now`.
    pub fn doing(&self, now: DateTime<Utc>) -> PaneStatus {
        match PaneStatus::read(&self.status) {
            _ if now - self.reported_at > FRESH => PaneStatus::Unknown,
            PaneStatus::Idle if self.dialog_open => PaneStatus::Blocked,
            doing => doing,
        }
    }

    /// Why nothing may be typed there now; none when it may. Every default is a reason to wait.
    pub fn obstacle(&self, now: DateTime<Utc>) -> Option<Wait> {
        let just_typed = self.typed_at.is_some_and(|at| now - at < GRACE);
        match self.doing(now) {
            _ if self.paused => Some(Wait::Paused),
            _ if self.turn_open => Some(Wait::TurnOpen),
            PaneStatus::Unknown => Some(Wait::Unknown),
            PaneStatus::Working => Some(Wait::Working),
            PaneStatus::Blocked => Some(Wait::Blocked),
            PaneStatus::Idle if self.limit => Some(Wait::Limit),
            PaneStatus::Idle if !self.safe_to_type => Some(Wait::NotSafe),
            PaneStatus::Idle if self.other_text || just_typed => Some(Wait::OtherText),
            PaneStatus::Idle => None,
        }
    }
}

/// Whether the head may be typed at `now`.
pub fn gate(pane: &PaneNow, head: Head<'_>, now: DateTime<Utc>) -> Gate {
    if pane.has_lost(head.session_id, now) {
        return Gate::Fail(Failure::SessionGone);
    }
    if !pane.mounted {
        let over = now - head.created_at >= MOUNT_WINDOW;
        return if over { Gate::Fail(Failure::NotMounted) } else { Gate::Wait(Wait::NotMounted) };
    }
    match pane.obstacle(now) {
        Some(wait) => Gate::Wait(wait),
        None if now < head.not_before => Gate::Wait(Wait::Backoff),
        None => Gate::Deliver,
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    const START: i64 = 1_000_000;

    fn at(secs: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(START + secs)
    }

    fn idle() -> PaneNow {
        PaneNow {
            session_id: Some("s1".into()),
            status: "idle".into(),
            safe_to_type: true,
            limit: false,
            dialog_open: false,
            reported_at: at(0),
            mounted: true,
            other_text: false,
            typed_at: None,
            turn_open: false,
            paused: false,
        }
    }

    type Change = fn(&mut PaneNow);

    fn ask(pane: &PaneNow, secs: i64) -> Gate {
        gate(pane, Head { session_id: "s1", created_at: at(0), not_before: at(0) }, at(secs))
    }

    #[test]
    fn an_idle_pane_takes_the_head_and_no_other_state_does() {
        assert_eq!(ask(&idle(), 1), Gate::Deliver);
        let cases: &[(Change, Wait)] = &[
            (|pane| pane.status = "working".into(), Wait::Working),
            (|pane| pane.status = "blocked".into(), Wait::Blocked),
            (|pane| pane.dialog_open = true, Wait::Blocked),
            (|pane| pane.status = "unknown".into(), Wait::Unknown),
            (|pane| pane.status = "elated".into(), Wait::Unknown),
            (|pane| pane.safe_to_type = false, Wait::NotSafe),
            (|pane| pane.limit = true, Wait::Limit),
            (|pane| pane.other_text = true, Wait::OtherText),
            (|pane| pane.typed_at = Some(at(-1)), Wait::OtherText),
            (|pane| pane.turn_open = true, Wait::TurnOpen),
            (|pane| pane.paused = true, Wait::Paused),
            (|pane| pane.mounted = false, Wait::NotMounted),
        ];
        for (change, wait) in cases {
            let mut pane = idle();
            change(&mut pane);
            assert_eq!(ask(&pane, 1), Gate::Wait(*wait));
        }
    }

    #[test]
    fn every_edge_of_time_is_where_it_is_said_to_be() {
        assert_eq!(ask(&idle(), 30), Gate::Deliver);
        assert_eq!(ask(&idle(), 31), Gate::Wait(Wait::Unknown), "a report counts for half a minute");
        assert_eq!(ask(&idle(), 299), Gate::Wait(Wait::Unknown));
        assert_eq!(ask(&idle(), 300), Gate::Fail(Failure::SessionGone), "unreported for five minutes");
        let unmounted = PaneNow { mounted: false, reported_at: at(60), ..idle() };
        assert_eq!(ask(&unmounted, 59), Gate::Wait(Wait::NotMounted));
        assert_eq!(ask(&unmounted, 60), Gate::Fail(Failure::NotMounted));
        let typed = PaneNow { typed_at: Some(at(0)), ..idle() };
        assert_eq!((ask(&typed, 2), ask(&typed, 3)), (Gate::Wait(Wait::OtherText), Gate::Deliver));
        let later = Head { session_id: "s1", created_at: at(0), not_before: at(5) };
        assert_eq!(gate(&idle(), later, at(4)), Gate::Wait(Wait::Backoff));
        assert_eq!(gate(&idle(), later, at(5)), Gate::Deliver);
    }

    #[test]
    fn another_session_is_gone_at_once() {
        for session in [Some("s2"), None] {
            let pane = PaneNow { session_id: session.map(str::to_owned), ..idle() };
            assert_eq!(ask(&pane, 1), Gate::Fail(Failure::SessionGone));
        }
    }
}
