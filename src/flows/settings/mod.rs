//! The local settings.

mod set;

pub use set::{SettingsPatch, set};
