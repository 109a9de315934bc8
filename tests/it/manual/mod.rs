//! The manual: its pages name what is there, its diagrams are drawn by a real browser, its settings are read.

mod agents;
mod diagrams;
mod flows;
mod names;
