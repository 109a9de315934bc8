//! One message from a lead to a member, from the queue to its outcome. Each step takes the ticket and gives the next.
//!
//! Two lives in one: the message's, which ends with an outcome, and that of the turn it began in the pane, which may last
//! longer. A pane takes its next message only when the turn of the last one is over.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{Failure, GRACE, IDLES, Outcome, Turn};
use crate::domain::pane::PaneStatus;

/// Longest pause between two tries to type a message, in seconds.
const BACKOFF_MAX: i64 = 32;

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It waits for its pane.
    Queued,
    /// A pane client is to type it.
    Ordered,
    /// It was typed.
    Delivered,
    /// It has an outcome.
    Closed,
}

/// What a report shows of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing new.
    Nothing,
    /// The member has begun.
    PickedUp,
    /// Its turn is over.
    Ended,
}

/// How a ticket is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// What it came to.
    pub outcome: Outcome,
    /// What there is to read.
    pub content: Option<String>,
    /// Its beginning is missing.
    pub partial: bool,
    /// Why.
    pub reason: Option<&'static str>,
}

impl Closing {
    /// The member's own answer.
    pub fn reply(content: &str) -> Self {
        Self { outcome: Outcome::Reply, content: Some(content.to_owned()), partial: false, reason: None }
    }

    /// It came to nothing.
    pub fn failure(why: Failure) -> Self {
        Self { outcome: Outcome::Failed, content: None, partial: false, reason: Some(why.as_str()) }
    }

    /// The turn ended without an answer.
    pub fn of_turn(turn: Turn) -> Self {
        let (content, partial) = turn.said.unzip();
        Self { outcome: turn.outcome, content, partial: partial.unwrap_or(false), reason: turn.reason }
    }
}

/// A ticket with all that is kept of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its id.
    pub id: Uuid,
    /// The project of both ends.
    pub project_id: Uuid,
    /// The member's lane.
    pub lane_id: Uuid,
    /// That lane's name.
    pub lane: String,
    /// The lead's agent, whose ticket it is.
    pub from_agent_id: Uuid,
    /// Its name.
    pub from_agent: String,
    /// Whose pane the member's is.
    pub pane_client_id: Uuid,
    /// The member's pane.
    pub pane_key: String,
    /// The session that was in it.
    pub session_id: String,
    /// The message.
    pub content: String,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// It is not typed before then.
    pub not_before: DateTime<Utc>,
    /// How often it could not be typed.
    pub skips: i32,
    /// The order that types it.
    pub order_id: Option<Uuid>,
    /// When it was typed, or may have been.
    pub sent_at: Option<DateTime<Utc>>,
    /// When the member was first seen at work on it.
    pub picked_up_at: Option<DateTime<Utc>>,
    /// Idle reports after it was typed, while nobody has seen the member begin.
    pub idles: i32,
    /// When its turn was over.
    pub turn_ended_at: Option<DateTime<Utc>>,
    /// What it has come to.
    pub outcome: Option<String>,
    /// What there is to read.
    pub result: Option<String>,
    /// The beginning of that is missing.
    pub partial: bool,
    /// Why.
    pub reason: Option<String>,
    /// Names the outcome, for the acknowledgement.
    pub msg_id: Option<Uuid>,
    /// When it was closed.
    pub finished_at: Option<DateTime<Utc>>,
    /// When the lead acknowledged the outcome.
    pub acked_at: Option<DateTime<Utc>>,
    /// When the lead last had news of it.
    pub polled_at: Option<DateTime<Utc>>,
}

impl Ticket {
    /// Where it is.
    pub fn stage(&self) -> Stage {
        match (self.finished_at, self.sent_at, self.order_id) {
            (Some(_), ..) => Stage::Closed,
            (None, Some(_), _) => Stage::Delivered,
            (None, None, Some(_)) => Stage::Ordered,
            (None, None, None) => Stage::Queued,
        }
    }

    /// The pane is busy with it: it is being typed, or its turn has not ended. Also of a closed ticket.
    pub fn holds_pane(&self) -> bool {
        self.order_id.is_some() && self.turn_ended_at.is_none()
    }

    /// The outcome, if there is one.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.as_deref().and_then(Outcome::from_word)
    }

    /// Why it failed, if it did.
    pub fn failure(&self) -> Option<Failure> {
        self.reason.as_deref().and_then(Failure::from_word)
    }

    /// An answer of the member still counts: nothing better is there, and the lead has not put the ticket away.
    pub fn takes_late_reply(&self) -> bool {
        let guessed = matches!(self.outcome(), Some(Outcome::TurnDone | Outcome::Exhausted));
        let unsure = self.failure() == Some(Failure::SendFailed);
        self.acked_at.is_none() && (guessed || unsure)
    }

    /// An order is made of it.
    #[must_use]
    pub fn ordered(self, order: Uuid) -> Option<Self> {
        (self.stage() == Stage::Queued).then_some(Self { order_id: Some(order), picked_up_at: None, idles: 0, ..self })
    }

    /// It was typed. Work that was seen before the client took the order was on something else.
    #[must_use]
    pub fn sent(self, taken_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<Self> {
        if !self.holds_pane() || self.sent_at.is_some() {
            return None;
        }
        let picked_up_at = self.picked_up_at.filter(|at| taken_at.is_some_and(|taken| *at >= taken));
        Some(Self { sent_at: Some(now), picked_up_at, idles: 0, ..self })
    }

    /// Nothing was typed: back to the queue, for a while. An answer that came meanwhile was to something else, and the
    /// message is still to be read. One that is closed otherwise, or put away by its lead, only lets go of the pane.
    #[must_use]
    pub fn skipped(self, now: DateTime<Utc>) -> Option<Self> {
        if !self.holds_pane() || self.sent_at.is_some() {
            return None;
        }
        let mistaken = self.outcome() == Some(Outcome::Reply) && self.acked_at.is_none();
        if self.stage() == Stage::Closed && !mistaken {
            return Some(Self { turn_ended_at: Some(now), ..self });
        }
        let pause = BACKOFF_MAX.min(1_i64 << self.skips.clamp(0, 5));
        let not_before = now + TimeDelta::seconds(pause);
        Some(Self {
            order_id: None,
            picked_up_at: None,
            idles: 0,
            skips: self.skips.saturating_add(1),
            not_before,
            outcome: None,
            result: None,
            partial: false,
            reason: None,
            msg_id: None,
            finished_at: None,
            ..self
        })
    }

    /// It was begun and is not known to have arrived: it is never typed again, and its turn is waited out.
    #[must_use]
    pub fn lost(self, msg_id: Uuid, now: DateTime<Utc>) -> Option<Self> {
        let lost = self.sent(None, now)?;
        Some(match lost.stage() {
            Stage::Closed => lost,
            _ => lost.closed(Closing::failure(Failure::SendFailed), msg_id, now),
        })
    }

    /// What a report of its pane shows; `resting` is idle, or stopped by its provider's limit.
    #[must_use]
    pub fn seen(self, (doing, resting): (PaneStatus, bool), now: DateTime<Utc>) -> (Self, Seen) {
        if !self.holds_pane() {
            return (self, Seen::Nothing);
        }
        let Some(sent_at) = self.sent_at else {
            // The outcome of the order is on its way; whether this counts is known when it is there.
            let first = self.picked_up_at.or_else(|| (doing == PaneStatus::Working).then_some(now));
            return (Self { picked_up_at: first, ..self }, Seen::Nothing);
        };
        let idles = if resting && now - sent_at >= GRACE { self.idles.saturating_add(1) } else { 0 };
        let began = self.picked_up_at.is_some();
        match doing {
            PaneStatus::Working if began => (Self { idles: 0, ..self }, Seen::Nothing),
            PaneStatus::Working => (Self { picked_up_at: Some(now), idles: 0, ..self }, Seen::PickedUp),
            _ if resting && (began || idles >= IDLES) => (self.turn_ended(now), Seen::Ended),
            _ => (Self { idles, ..self }, Seen::Nothing),
        }
    }

    /// The member calls: whatever was seen of its pane, it has begun.
    #[must_use]
    pub fn called(self, now: DateTime<Utc>) -> Self {
        Self { picked_up_at: self.picked_up_at.or(Some(now)), ..self }
    }

    /// Its turn is over.
    #[must_use]
    pub fn turn_ended(self, now: DateTime<Utc>) -> Self {
        Self { turn_ended_at: self.turn_ended_at.or(Some(now)), ..self }
    }

    /// It has come to this. An answer takes the place of what was guessed from a screen.
    #[must_use]
    pub fn closed(self, closing: Closing, msg_id: Uuid, now: DateTime<Utc>) -> Self {
        Self {
            outcome: Some(closing.outcome.as_str().to_owned()),
            result: closing.content,
            partial: closing.partial,
            reason: closing.reason.map(str::to_owned),
            msg_id: Some(msg_id),
            finished_at: Some(now),
            ..self
        }
    }
}

#[cfg(test)]
mod tests;
