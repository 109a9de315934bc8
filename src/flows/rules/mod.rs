//! Learned rules: from people's answers to a suggestion, and from there, by the local admin alone, to a rule.

mod learn;

pub use learn::{Lesson, note_approval, note_denial};
