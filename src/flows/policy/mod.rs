//! The supervision policy: read by all whom it concerns, changed by an admin at the machine alone.

mod change;
mod import;
mod rollback;
mod set;
mod simulate;
mod view;

pub use import::{Export, Import, export, import};
pub use rollback::{History, Rollback, history, rollback};
pub use set::{Patch, set};
pub use simulate::{ChangedVerdict, Count, Simulate, Simulation, simulate};
pub use view::{View, view};
