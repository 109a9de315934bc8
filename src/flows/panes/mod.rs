//! What pane clients tell of their panes.

pub mod report;
pub mod silence;
