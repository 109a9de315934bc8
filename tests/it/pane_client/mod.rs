//! The pane client as a process beside a simulated agent in real tmux, against the running service.

mod command;
pub mod desk;
mod faults;
mod interleavings;
mod lanes;
mod many;
mod messages;
mod stories;
mod texts;
