//! Telling somebody outside that a person is needed, for an approver whose page is closed.

mod deliver;
mod shape;
mod target;
mod trial;

pub use deliver::deliver;
pub(super) use target::{TOKEN, check, masked, token};
pub use trial::{Tried, trial};
