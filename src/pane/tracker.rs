//! One pane over time: which dialog is the same one, when it began and ended, and how the pane stands.
//!
//! Pure: the time is an argument, ids are handed in. What counts is decided here and nowhere else; nothing here types.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::digest::ScreenDigest;
use crate::domain::screen::{Reading, Status, Tail};

/// Two looks that count as two: less, and both may be the same half of a picture.
pub const APART: Duration = Duration::from_millis(150);
/// So long must a screen stand still before the agent rests: between two calls of a tool it looks the same for a moment.
pub const STILL: Duration = Duration::from_millis(1500);

/// One look at a pane.
#[derive(Debug)]
pub struct Look<'a> {
    /// When it was taken.
    pub at: Instant,
    /// Names every byte of the capture, so that two can be compared.
    pub bytes: [u8; 32],
    /// What it says.
    pub reading: &'a Reading,
    /// Names the dialog that is open, if one is.
    pub dialog: Option<ScreenDigest>,
    /// The agent is there: not its shell, not a dead pane.
    pub alive: bool,
}

/// How a dialog ended, as the server has to hear it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The agent went on: somebody answered.
    AnsweredLocally,
    /// Nothing tells why.
    Vanished,
    /// Another dialog stands in its place.
    Changed,
}

impl Gone {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnsweredLocally => "answered_locally",
            Self::Vanished => "vanished",
            Self::Changed => "changed",
        }
    }
}

/// What a look changes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// This instance has ended.
    pub ended: Option<(Uuid, Gone)>,
    /// This instance has begun; it was seen twice.
    pub begun: Option<Uuid>,
    /// Look again soon: what was seen was seen once.
    pub again: bool,
}

/// How a pane stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own on the wire")]
pub struct Standing {
    /// What the agent does.
    pub status: Status,
    /// A text may go in.
    pub safe_to_type: bool,
    /// It rests with a question in plain words.
    pub awaiting_input: bool,
    /// It has ended a turn, and no other has begun.
    pub ended_turn: bool,
    /// A usage limit stops it.
    pub limit: bool,
    /// What it said last.
    pub tail: Option<Tail>,
}

/// What is known of one pane.
#[derive(Debug)]
pub struct Tracker {
    /// The last picture, and since when it is the same.
    picture: Option<([u8; 32], Instant)>,
    /// A dialog that was seen once.
    first: Option<(ScreenDigest, Instant)>,
    instance: Option<(Uuid, ScreenDigest)>,
    standing: Standing,
    /// It has been seen at work since it last rested.
    worked: bool,
}

impl Default for Tracker {
    fn default() -> Self {
        let standing = Standing {
            status: Status::Unknown,
            safe_to_type: false,
            awaiting_input: false,
            ended_turn: false,
            limit: false,
            tail: None,
        };
        Self { picture: None, first: None, instance: None, standing, worked: false }
    }
}

impl Tracker {
    /// The dialog that is open, if it was seen twice.
    pub fn instance(&self) -> Option<Uuid> {
        self.instance.map(|(id, _)| id)
    }

    /// How the pane stands.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Since when the picture is the same.
    pub fn quiet_since(&self) -> Option<Instant> {
        self.picture.map(|(_, since)| since)
    }

    /// Takes a look in. A dialog that a single look does not show has ended: what was decided for it is void.
    pub fn see(&mut self, look: &Look<'_>, new_id: impl FnOnce() -> Uuid) -> Change {
        let since = match self.picture {
            Some((bytes, since)) if bytes == look.bytes => since,
            _ => look.at,
        };
        self.picture = Some((look.bytes, since));
        let change = self.dialog(look, new_id);
        let still = look.at.saturating_duration_since(since);
        self.stand(look, still);
        let settling = look.reading.status == Status::Idle && still < STILL;
        Change { again: change.again || settling, ..change }
    }

    /// The pane could not be seen at all: it is gone, or the terminal's server is.
    pub fn lose(&mut self) -> Option<(Uuid, Gone)> {
        let ended = self.instance().map(|id| (id, Gone::Vanished));
        *self = Self::default();
        ended
    }

    /// The dialog that is open counts as over; if it is still there it begins anew.
    pub fn let_go(&mut self) {
        self.first = None;
        self.instance = None;
    }

    fn dialog(&mut self, look: &Look<'_>, new_id: impl FnOnce() -> Uuid) -> Change {
        let mut change = Change::default();
        let Some(seen) = look.dialog else {
            let rests = matches!(look.reading.status, Status::Idle | Status::Working);
            let how = if look.alive && rests { Gone::AnsweredLocally } else { Gone::Vanished };
            change.ended = self.instance.take().map(|(id, _)| (id, how));
            self.first = None;
            return change;
        };
        if self.instance.is_some_and(|(_, digest)| digest == seen) {
            return change;
        }
        change.ended = self.instance.take().map(|(id, _)| (id, Gone::Changed));
        match self.first {
            Some((digest, at)) if digest == seen => {
                if look.at.saturating_duration_since(at) >= APART {
                    let id = new_id();
                    self.instance = Some((id, seen));
                    self.first = None;
                    change.begun = Some(id);
                } else {
                    change.again = true;
                }
            }
            _ => {
                self.first = Some((seen, look.at));
                change.again = true;
            }
        }
        change
    }

    fn stand(&mut self, look: &Look<'_>, still: Duration) {
        let reading = look.reading;
        let status = match reading.status {
            _ if !look.alive => Status::Unknown,
            // Not still for long enough: it goes on as it was.
            Status::Idle if still < STILL && self.standing.status != Status::Idle => match self.standing.status {
                Status::Working => Status::Working,
                _ => Status::Unknown,
            },
            status => status,
        };
        if matches!(status, Status::Working | Status::Blocked) {
            self.worked = true;
        }
        let rests = status == Status::Idle;
        let tail = reading.tail.clone().filter(|_| rests);
        self.standing = Standing {
            status,
            safe_to_type: rests && reading.safe_to_type && !reading.survey && still >= STILL,
            awaiting_input: tail.as_ref().is_some_and(|tail| tail.asks),
            ended_turn: rests && (self.worked || self.standing.ended_turn),
            limit: reading.limit.is_some(),
            tail,
        };
        if rests {
            self.worked = false;
        }
    }
}

#[cfg(test)]
mod tests;
