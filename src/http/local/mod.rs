//! What the machine's admin reads and changes through the Unix socket.

pub mod agents;
pub mod audit;
pub mod doctor;
pub mod mail;
pub mod metrics;
pub mod pages;
pub mod pane_clients;
pub mod pause;
pub mod people;
pub mod places;
pub mod policy;
pub mod rules;
pub mod settings;

use serde::Serialize;
use uuid::Uuid;

/// All there is, as lists everywhere have it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Items<T> {
    /// The list.
    pub items: Vec<T>,
}

/// What was made.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Made {
    /// Its id.
    pub id: Uuid,
}

/// The only one, or nothing at this address.
fn only<T>(found: Vec<T>) -> crate::error::Result<T> {
    found.into_iter().next().ok_or_else(crate::error::Error::not_found)
}
