//! The side of the panes: what runs beside the agents, looks at their screens, and presses the one key that was decided on.

mod act;
mod ask;
mod backoff;
pub mod client;
pub mod digest;
pub mod discover;
pub mod facts;
pub mod frame;
mod given;
mod instance;
pub mod process;
pub mod remote;
mod report;
mod search;
pub mod send;
pub mod server;
pub mod started;
pub mod status;
mod taken;
pub mod tmux;
pub mod tracker;
pub mod wake;
mod watch;
pub mod wire;
