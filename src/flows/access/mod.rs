//! Refusals that the journal keeps.

mod refuse;

pub use refuse::{Refusal, refuse};
