//! What supervision does and did, and what may be done about it from afar: read, nudge, pause.

pub mod sight;

mod pause;

pub use pause::{By, Paused, pause, resume, state};
