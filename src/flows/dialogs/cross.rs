//! A pane client reaches for what is another's: it is told that there is nothing, and the journal is told the truth.

use serde_json::{Value, json};

use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::store::{self, events};

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

/// The answer for it, journaled at most once a minute for each client, so that a hostile one cannot fill the journal.
pub async fn refuse(app: &App, client: &PaneClient, reached: Reached<'_>) -> Error {
    let now = app.clock.now().timestamp();
    if app.refusals.first_this_minute(client.id(), now)
        && let Err(error) = journal(app, client, reached).await
    {
        return error;
    }
    Error::not_found()
}

async fn journal(app: &App, client: &PaneClient, reached: Reached<'_>) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    events::append(&mut tx, act(EventKind::AccessRefused, client.actor(), reached.payload(), now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
