//! What supervision does and did, and what may be done about it from afar: read, nudge, pause.

pub mod sight;

mod nudge;
mod pause;
mod reads;

pub use nudge::{Nudge, NudgeOutcome, Nudged, nudge};
pub use pause::{By, Paused, pause, resume, state};
pub use reads::{AuditEntry, Entries, LaneStatus, SupervisionStatus, audit, status};
