//! The supervision policy: changed at the machine alone, read by all whom it concerns, and never enlarged from afar.

mod pause;
mod rules;
mod settings;
mod stage;
mod versions;
