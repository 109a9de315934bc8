//! Orders to pane clients: leased, judged again, reported once.

pub mod expire;
pub mod lease;
pub mod outcome;
mod record;
mod rejudge;
pub mod shape;
pub mod texts;

pub(in crate::flows) use record::{Done, finish};
pub(in crate::flows) use texts::AtLease;
