//! What pane clients tell of their panes.

pub(in crate::flows) mod drift;
pub mod report;
pub mod silence;
