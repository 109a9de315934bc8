//! What pane clients tell of their panes.

pub(in crate::flows) mod drift;
pub(in crate::flows) mod ready;
pub mod report;
pub mod silence;
