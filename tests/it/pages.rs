//! The product in a real browser: what a person with a phone sees and does, and what the agent gets of it.

mod decisions;
mod dialogs;
mod doors;
mod hostile;
mod lanes;
mod live;
mod plain;
mod quality;
mod refusals;
pub mod scene;
