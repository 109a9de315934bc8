//! A pane client reaches for what is another's.

use serde_json::{Value, json};

use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::event::Place;
use crate::error::Error;
use crate::flows::access;

/// What it reached for.
#[derive(Clone, Copy, Debug)]
pub enum Reached<'a> {
    /// A lane, by name.
    Lane(&'a str),
    /// A dialog.
    Dialog(uuid::Uuid),
    /// An order.
    Order(uuid::Uuid),
}

impl Reached<'_> {
    fn payload(self) -> Value {
        match self {
            Self::Lane(name) => json!({ "lane": name }),
            Self::Dialog(id) => json!({ "dialog_id": id }),
            Self::Order(id) => json!({ "order_id": id }),
        }
    }
}

/// The answer for it.
pub async fn refuse(app: &App, client: &PaneClient, reached: Reached<'_>) -> Error {
    let caller = (client.id(), client.actor(), Place::default());
    access::reached(app, caller, reached.payload()).await.err().unwrap_or_else(Error::not_found)
}
