//! Refusals that the journal keeps.

mod reach;
mod refuse;

pub(in crate::flows) use reach::reached;
pub use refuse::{Refusal, refuse};
