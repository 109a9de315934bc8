//! Learned rules: from people's answers to a suggestion, and from there, by the local admin alone, to a rule.

mod confirm;
mod learn;
mod review;
mod settle;
mod suggest;

pub use confirm::{NewRule, confirm};
pub use learn::{Lesson, note_approval, note_denial};
pub use review::{Covered, Draft, ListedRule, Seen, covers, list, remove};
pub use settle::{Accept, Accepted, accept, dismiss, suggestions};
pub use suggest::{Suggestion, suggest};
