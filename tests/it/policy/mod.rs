//! The supervision policy: changed at the machine alone, read by all whom it concerns, and never enlarged from afar.

mod afar;
mod command;
mod hosts;
mod nudge;
mod pause;
mod remote;
mod rules;
mod settings;
mod simulate;
mod socket;
mod stage;
mod versions;
