//! Stalls: agents that have something to do, and on whose screens nothing moves.

mod act;
mod after;
mod end;
pub mod watch;

pub(in crate::flows) use after::{after, fallen};
