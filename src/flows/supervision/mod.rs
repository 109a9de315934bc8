//! What supervision does and did, and what may be done about it from afar: read, nudge, pause.

pub mod sight;
