//! A pane client says that a dialog is gone from the screen.

use serde::Deserialize;
use uuid::Uuid;

use super::cross::{self, Reached};
use super::end::{self, Ending};
use super::look;
use crate::app::App;
use crate::auth::PaneClient;
use crate::error::Result;
use crate::store::policies;

/// How a client may say it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gone {
    /// Somebody answered at the terminal.
    AnsweredLocally,
    /// It is not there any more.
    Vanished,
    /// Another dialog has taken its place.
    Changed,
}

impl From<Gone> for Ending {
    fn from(gone: Gone) -> Self {
        match gone {
            Gone::AnsweredLocally => Self::AnsweredLocally,
            Gone::Vanished => Self::Vanished,
            Gone::Changed => Self::Changed,
        }
    }
}

/// Closes it on every phone; doing it again changes nothing.
pub async fn close(app: &App, client: &PaneClient, id: Uuid, gone: Gone) -> Result<look::Seen> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    client.confirm(&mut tx).await?;
    let Some(id) = look::standing(&mut tx, client, id).await? else {
        tx.rollback().await?;
        return Err(cross::refuse(app, client, Reached::Dialog(id)).await);
    };
    let ended = end::end(&mut tx, app, (id, gone.into()), &client.actor()).await?;
    tx.commit().await?;
    ended.tell(app);
    look::read(app, client, id).await
}
