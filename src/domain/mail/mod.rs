//! Mail to a lane: when a delivery is tried, tried again and given up, and what is typed.

mod frame;

pub use frame::{Heading, TYPED_MAX, framed, one_line, typed};

use chrono::{DateTime, TimeDelta, Utc};

use super::ask::has_visible;

/// Longest body, in bytes.
pub const BODY_MAX: usize = 8 * 1024;
/// How many one sender sends in [`MINUTE`].
pub const PER_MINUTE: i64 = 10;
/// The time in which a sender's mail is counted.
pub const MINUTE: TimeDelta = TimeDelta::seconds(60);
/// How many may wait in a lane: nobody reads there any more, and one more would only hide that.
pub const QUEUE_MAX: i64 = 100;
/// How long mail keeps its words.
pub const KEPT: TimeDelta = TimeDelta::days(30);
/// How often a delivery is tried.
pub const ATTEMPTS: i32 = 2;
/// How long after a try that failed the next one comes: longer than a pane client refuses the same text
/// (20 s, contract, section 4), so that its latch never swallows the retry.
pub const RETRY: TimeDelta = TimeDelta::seconds(30);
/// So long after a line was typed into a pane the same line is not ordered for it again: its client would refuse it, and
/// that would count as a try.
pub const SAME_LINE: TimeDelta = TimeDelta::seconds(25);

/// How the delivery of what waits in a lane stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Tries that came to nothing.
    pub attempts: i32,
    /// No other before this.
    pub next_at: Option<DateTime<Utc>>,
    /// It was given up: nothing follows, and nobody is told again.
    pub gave_up: bool,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Try it, if a pane takes text.
    Send,
    /// Not yet, or never again.
    Wait,
    /// Say that it failed, once.
    GiveUp,
}

/// Decides about a delivery. The edge itself is due.
pub fn decide_mail(schedule: &Schedule, now: DateTime<Utc>) -> Delivery {
    if schedule.gave_up {
        return Delivery::Wait;
    }
    if schedule.attempts == 0 {
        return Delivery::Send;
    }
    if schedule.next_at.is_some_and(|next| now < next) {
        return Delivery::Wait;
    }
    if schedule.attempts < ATTEMPTS { Delivery::Send } else { Delivery::GiveUp }
}

impl Schedule {
    /// After another try that came to nothing. The last one is not waited for.
    #[must_use]
    pub fn failed(self, now: DateTime<Utc>) -> Self {
        let attempts = self.attempts.saturating_add(1);
        let next = if attempts < ATTEMPTS { now + RETRY } else { now };
        Self { attempts, next_at: Some(next), ..self }
    }
}

/// Whether a body can be sent; the error says what it takes.
pub fn check_body(body: &str) -> Result<(), &'static str> {
    let said = has_visible(body) && !body.contains('\0') && !one_line(body).is_empty();
    if said && body.len() <= BODY_MAX {
        return Ok(());
    }
    Err("body takes 1 byte to 8 KiB of text, of which something can be read.")
}

/// How long a sender waits for the next mail, when `sent` were sent in the last minute and the first of them then.
pub fn must_wait(sent: i64, first: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<TimeDelta> {
    let first = first.filter(|_| sent >= PER_MINUTE)?;
    Some((first + MINUTE - now).max(TimeDelta::seconds(1)))
}

/// Which of a lane's panes gets what is to be typed: never two, and where possible the one that got the last mail, so that
/// a conversation stays with one agent; else the first by its key. After a try that may have typed something (`bound`) no
/// other pane gets it, as long as that one is watched.
pub fn choose<'a, P, K: PartialEq>(
    panes: &'a [P],
    (last, bound): (Option<&K>, bool),
    (key, fresh, takes): (impl Fn(&P) -> K, impl Fn(&P) -> bool, impl Fn(&P) -> bool),
) -> Option<&'a P> {
    let same = last.and_then(|last| panes.iter().find(|pane| key(pane) == *last));
    match same {
        Some(pane) if takes(pane) => Some(pane),
        Some(pane) if bound && fresh(pane) => None,
        _ => panes.iter().find(|pane| takes(pane)),
    }
}

#[cfg(test)]
mod tests;
