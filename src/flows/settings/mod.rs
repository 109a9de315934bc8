//! The local settings.

mod set;

pub use set::{SettingsPatch, Shown, set, show};
