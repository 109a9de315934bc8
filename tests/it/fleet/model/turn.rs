//! The test's own account of a pane, as the seed's rules say it: who has it, when it began, when it is over.

use chrono::{DateTime, TimeDelta, Utc};

/// A message that was typed, or may have been, and whose turn is not over.
#[derive(Clone, Copy, Debug)]
struct Turn {
    sent_at: DateTime<Utc>,
    picked_up: bool,
    idles: u32,
}

/// The pane.
#[derive(Debug, Default)]
pub struct Account {
    turn: Option<Turn>,
    /// The last report: its status, and when.
    last: Option<(&'static str, DateTime<Utc>)>,
    /// When what is out was taken, and whether work was seen since.
    taken: Option<(DateTime<Utc>, bool)>,
}

impl Account {
    /// The pane was reported.
    pub fn report(&mut self, status: &'static str, now: DateTime<Utc>) {
        self.last = Some((status, now));
        if let Some((_, worked)) = &mut self.taken {
            *worked |= status == "working";
        }
        let Some(turn) = &mut self.turn else { return };
        let rests = status == "idle";
        turn.idles = if rests && now - turn.sent_at >= TimeDelta::seconds(3) { turn.idles + 1 } else { 0 };
        if rests && (turn.picked_up || turn.idles >= 2) {
            self.turn = None;
        } else {
            turn.picked_up |= status == "working";
        }
    }

    /// The member called: it has begun.
    pub fn called(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.picked_up = true;
        }
        if let Some((_, worked)) = &mut self.taken {
            *worked = true;
        }
    }

    /// An order was given out. This is where nothing may be wrong.
    pub fn take(&mut self, now: DateTime<Utc>) {
        let (status, at) = self.last.expect("a pane that was never reported takes nothing");
        assert_eq!(status, "idle", "typed while {status}");
        assert!(now - at <= TimeDelta::seconds(31), "typed on a report of {at} at {now}");
        assert!(self.turn.is_none(), "a second message in one turn: {self:?}");
        assert!(self.taken.is_none(), "two at once: {self:?}");
        self.taken = Some((now, false));
    }

    /// It was typed, or may have been.
    pub fn typed(&mut self, sure: bool, now: DateTime<Utc>) {
        let (_, worked) = self.taken.take().unwrap();
        self.turn = Some(Turn { sent_at: now, picked_up: sure && worked, idles: 0 });
    }

    /// It was not typed.
    pub fn skipped(&mut self) {
        self.taken = None;
    }

    /// When the pane was last reported.
    pub fn silent_since(&self) -> Option<DateTime<Utc>> {
        self.last.map(|(_, at)| at)
    }

    /// When what is out was taken.
    pub fn out_since(&self) -> Option<DateTime<Utc>> {
        self.taken.map(|(at, _)| at)
    }
}
