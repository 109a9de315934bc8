//! What passes between a lead and its members: a message's life, when it may be typed, and what a turn came to.
//!
//! Pure: the flows load a [`Ticket`], ask here what becomes of it, and save what they are given.

mod frame;
mod gate;
mod tail;
mod ticket;

pub use frame::{clean, framed, nudge};
pub use gate::{Gate, Head, PaneNow, Wait, gate};
pub use tail::{Turn, read_turn};
pub use ticket::{Closing, Seen, Stage, Ticket};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::verdict::words;

/// Longest message, question and reply, in bytes.
pub const CONTENT_MAX: usize = 8 * 1024;
/// How many messages may wait for one pane; one more is refused.
pub const QUEUE_MAX: i64 = 8;
/// How long a blocked call lasts at most, in seconds: clients cut calls near a minute.
pub const WAIT_MAX: u64 = 45;
/// How long a question waits for its answer. Nothing extends it.
pub const ASK_WINDOW: TimeDelta = TimeDelta::seconds(55);
/// How long a message waits for its member's first call.
pub const MOUNT_WINDOW: TimeDelta = TimeDelta::seconds(60);
/// A pane that was not reported for this long is gone.
pub const GONE_AFTER: TimeDelta = TimeDelta::minutes(5);
/// How long after a send an idle pane may simply not have begun; also how long after any text nothing else is typed.
pub const GRACE: TimeDelta = TimeDelta::seconds(3);
/// How many idle reports after that end a turn which nobody saw begin.
pub const IDLES: i32 = 2;
/// How many nudges a ticket gets.
pub const NUDGES_MAX: i32 = 3;
/// How far apart nudges are.
pub const NUDGE_EVERY: TimeDelta = TimeDelta::seconds(60);
/// How long news is left to a call that may be waiting for it, here or on another server, before anybody is nudged.
pub const NUDGE_AFTER: TimeDelta = TimeDelta::seconds(5);

words! {
    /// What a ticket has come to.
    Outcome {
        /// The member answered.
        Reply "reply",
        /// Its turn ended without an answer; what there is, is read off its screen.
        TurnDone "turn_done",
        /// Its provider serves it no more.
        Exhausted "exhausted",
        /// It came to nothing, with a named reason.
        Failed "failed",
    }
}

words! {
    /// Why a message failed.
    Failure {
        /// The member's token made no call in time.
        NotMounted "not_mounted",
        /// The pane has another session, or is not reported any more.
        SessionGone "session_gone",
        /// It was begun, and whether it arrived is not known. It is never typed again.
        SendFailed "send_failed",
        /// The lead that sent it was removed.
        LeadGone "lead_gone",
        /// The database is a restored one; what was on its way then may have arrived since.
        Restored "restored",
    }
}
