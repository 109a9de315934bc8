//! The pages of `countersign admin`: read at the machine, and changed with an admin's password in the same form.

pub mod agents;
pub mod ask;
pub mod error;
pub mod home;
pub mod lanes;
pub mod pane_clients;
pub mod pause;
pub mod people;
pub mod places;
pub mod rules;
pub mod sent;
pub mod settings;
pub mod suggestions;
pub mod supervision;
pub mod visit;

/// Where a form leads back to, with a word for what was done.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
pub struct Done {
    done: String,
}
