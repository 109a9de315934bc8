//! The side of the panes: what runs beside the agents, looks at their screens, and presses the one key that was decided on.

pub mod digest;
pub mod discover;
pub mod facts;
pub mod frame;
pub mod process;
pub mod remote;
pub mod send;
pub mod server;
pub mod started;
pub mod tmux;
pub mod tracker;
pub mod wake;
pub mod wire;
