//! A stall: an agent that has something to do, and nothing on whose screen moves. It is nudged, and then a person is told.

use chrono::{DateTime, TimeDelta, Utc};

/// Two nudges are at least so far apart.
pub const APART: TimeDelta = TimeDelta::minutes(5);
/// A nudge changes the screen by itself: it is typed, it leaves the composer, a footer goes. What moves within this time
/// of it is its echo, and no sign of life; a client tells of a pane every ten seconds at least.
pub const ECHO: TimeDelta = TimeDelta::seconds(15);

/// How often a stall was nudged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Nudges so far, typed or not.
    pub nudges: u32,
    /// When the last one was.
    pub last_at: Option<DateTime<Utc>>,
    /// A person was told.
    pub escalated: bool,
}

/// The policy's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So long must nothing have moved.
    pub still_for: TimeDelta,
    /// Nudges before a person is told.
    pub retries: u32,
}

/// What is known of the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Still {
    /// How long nothing has moved; none while nobody can tell.
    pub since: Option<DateTime<Utc>>,
    /// The agent has something to do.
    pub outstanding: bool,
    /// A text may be typed there.
    pub takes_text: bool,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// Nothing, or nothing yet.
    Nothing,
    /// Type the line that wakes it.
    Nudge,
    /// Tell a person, once.
    Escalate,
}

/// Decides about a stall; `schedule` is none before its first nudge. Edges are reached. A nudge that is due and cannot be typed,
/// since a draft stands in the composer, is waited for as long as nudges are apart; then a person is told instead.
pub fn decide_stall(schedule: Option<&Schedule>, still: &Still, limits: &Limits, now: DateTime<Utc>) -> Stall {
    let Some(since) = still.since.filter(|_| still.outstanding) else { return Stall::Nothing };
    let schedule = schedule.copied().unwrap_or_default();
    let nudged = schedule.last_at.filter(|_| schedule.nudges > 0);
    let still_enough = since + limits.still_for;
    let due = nudged.map_or(still_enough, |last| still_enough.max(last + APART));
    if schedule.escalated || now < due {
        Stall::Nothing
    } else if nudged.is_some() && schedule.nudges >= limits.retries {
        Stall::Escalate
    } else if still.takes_text {
        Stall::Nudge
    } else if now >= due + APART {
        Stall::Escalate
    } else {
        Stall::Nothing
    }
}

/// Since when nothing has moved: the latest of when the screen changed, when the agent did something, and when what it has
/// to do was there. No reading is never still.
pub fn still_since(
    (quiet, active): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    work: Option<DateTime<Utc>>,
) -> Option<DateTime<Utc>> {
    let moved = quiet?.max(active?);
    Some(work.map_or(moved, |work| work.max(moved)))
}

/// The last nudge of a stall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nudged {
    /// When a pane client took it.
    pub taken_at: Option<DateTime<Utc>>,
    /// When it was done with.
    pub done_at: DateTime<Utc>,
}

/// What was seen of a pane since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// When it was last reported at work, or in a dialog.
    pub worked_at: Option<DateTime<Utc>>,
    /// When its screen was last reported to have changed.
    pub moved_at: Option<DateTime<Utc>>,
    /// When its screen last changed, by its client's clock.
    pub quiet_since: Option<DateTime<Utc>>,
}

/// Whether the agent has shown life since its last nudge. Work counts from the moment the nudge was taken: the pane rested
/// then. A screen that moved counts once it cannot be the nudge's echo, by the server's clock and by the client's.
pub fn has_moved(nudged: &Nudged, seen: &Seen) -> bool {
    let worked = seen.worked_at.is_some_and(|at| at > nudged.taken_at.unwrap_or(nudged.done_at));
    let later = |at: Option<DateTime<Utc>>| at.is_some_and(|at| at - nudged.done_at > ECHO);
    worked || later(seen.moved_at) && later(seen.quiet_since)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(secs)
    }

    const LIMITS: Limits = Limits { still_for: TimeDelta::minutes(20), retries: 2 };

    #[test]
    fn a_stall_is_nudged_up_to_the_limit_and_then_told_once() {
        let still = Still { since: Some(at(0)), outstanding: true, takes_text: true };
        let decide = |nudges, last: Option<i64>, escalated, now| {
            let schedule = Schedule { nudges, last_at: last.map(at), escalated };
            decide_stall(Some(&schedule), &still, &LIMITS, at(now))
        };
        assert_eq!(decide_stall(None, &still, &LIMITS, at(1199)), Stall::Nothing);
        assert_eq!(decide_stall(None, &still, &LIMITS, at(1200)), Stall::Nudge);
        assert_eq!(decide(1, Some(1200), false, 1499), Stall::Nothing);
        assert_eq!(decide(1, Some(1200), false, 1500), Stall::Nudge);
        assert_eq!(decide(2, Some(1500), false, 1799), Stall::Nothing);
        assert_eq!(decide(2, Some(1500), false, 1800), Stall::Escalate);
        assert_eq!(decide(2, Some(1500), true, 9999), Stall::Nothing, "told once");
    }

    #[test]
    fn what_cannot_be_nudged_is_told_after_a_while() {
        let drafted = Still { since: Some(at(0)), outstanding: true, takes_text: false };
        let decide = |schedule: Option<&Schedule>, now| decide_stall(schedule, &drafted, &LIMITS, at(now));
        assert_eq!((decide(None, 1200), decide(None, 1499)), (Stall::Nothing, Stall::Nothing));
        assert_eq!(decide(None, 1500), Stall::Escalate);
        let once = Schedule { nudges: 1, last_at: Some(at(1200)), escalated: false };
        assert_eq!((decide(Some(&once), 1799), decide(Some(&once), 1800)), (Stall::Nothing, Stall::Escalate));
        let told = Schedule { nudges: 0, last_at: None, escalated: true };
        assert_eq!(decide(Some(&told), 99_999), Stall::Nothing, "once");
        let freed = Still { takes_text: true, ..drafted };
        assert_eq!(decide_stall(Some(&told), &freed, &LIMITS, at(99_999)), Stall::Nothing, "a person is at it");
        assert_eq!(decide_stall(None, &freed, &LIMITS, at(1499)), Stall::Nudge);
    }

    #[test]
    fn no_reading_is_never_still() {
        assert_eq!(still_since((None, Some(at(0))), None), None);
        assert_eq!(still_since((Some(at(0)), None), None), None);
        assert_eq!(still_since((Some(at(5)), Some(at(9))), None), Some(at(9)));
        assert_eq!(still_since((Some(at(5)), Some(at(3))), Some(at(60))), Some(at(60)), "mail that has just come");
        let unknown = Still { since: None, outstanding: true, takes_text: true };
        assert_eq!(decide_stall(None, &unknown, &LIMITS, at(1_000_000)), Stall::Nothing);
    }

    #[test]
    fn the_echo_of_a_nudge_is_no_sign_of_life() {
        let nudged = Nudged { taken_at: Some(at(100)), done_at: at(103) };
        let seen = |worked: Option<i64>, moved: Option<i64>, quiet: i64| Seen {
            worked_at: worked.map(at),
            moved_at: moved.map(at),
            quiet_since: Some(at(quiet)),
        };
        assert!(!has_moved(&nudged, &seen(None, None, 0)));
        assert!(!has_moved(&nudged, &seen(None, Some(112), 103)), "the line left its composer, and that was told late");
        assert!(!has_moved(&nudged, &seen(Some(100), Some(112), 103)), "it worked before");
        assert!(
            has_moved(&nudged, &seen(Some(102), Some(112), 103)),
            "it took the line up while that was being reported"
        );
        assert!(has_moved(&nudged, &seen(None, Some(125), 120)));
        assert!(!has_moved(&nudged, &seen(None, Some(112), 9_000)), "a client whose clock runs ahead");
    }
}
