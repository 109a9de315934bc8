//! The side of the panes: what runs beside the agents and looks at their screens.

pub mod digest;
pub mod discover;
pub mod facts;
pub mod frame;
pub mod process;
pub mod remote;
pub mod send;
pub mod server;
pub mod tmux;
pub mod wake;
pub mod wire;
