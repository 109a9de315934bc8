//! A pane client looks at a dialog: pure and repeatable; whoever waits sleeps in memory.

use std::time::Duration;

use sqlx::PgConnection;
use tokio::time::Instant;
use uuid::Uuid;

use super::cross::{self, Reached};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::proposal::Status;
use crate::error::{Error, Result};
use crate::store::dialogs::{self, DialogRow};
use crate::store::orders::{self, OrderRow};

/// What there is to see.
#[derive(Debug)]
pub struct Seen {
    /// The dialog.
    pub dialog: DialogRow,
    /// The order that is under way for it.
    pub order: Option<OrderRow>,
}

/// Looks at one of the client's dialogs, and waits for its answer if there is none yet.
pub async fn look(app: &App, client: &PaneClient, id: Uuid, wait: Duration) -> Result<Seen> {
    // Registered before the first read, so that nothing can happen unheard in between.
    let mut waiter = app.hub.waiters.register(id);
    let until = Instant::now() + wait;
    loop {
        let seen = read(app, client, id).await?;
        let pending = seen.dialog.status == Status::Pending.as_str();
        if !pending || Instant::now() >= until || app.stopping.is_cancelled() {
            return Ok(seen);
        }
        tokio::select! {
            () = waiter.changed(seen.dialog.version) => {}
            () = tokio::time::sleep_until(until) => {}
            () = app.stopping.cancelled() => {}
        }
    }
}

/// Reads one of the client's dialogs, if its tokens are still good.
pub async fn read(app: &App, client: &PaneClient, id: Uuid) -> Result<Seen> {
    let mut conn = app.db.acquire().await?;
    client.confirm(&mut conn).await?;
    let Some(dialog) = own(dialogs::find(&mut conn, id).await?, client)? else {
        drop(conn);
        return Err(cross::refuse(app, client, Reached::Dialog(id)).await);
    };
    let order = orders::newest_of(&mut conn, id).await?.filter(|order| order.state != "done");
    Ok(Seen { dialog, order })
}

/// The dialog, if it is the client's; none if it is another's.
fn own(found: Option<DialogRow>, client: &PaneClient) -> Result<Option<DialogRow>> {
    let dialog = found.ok_or_else(Error::not_found)?;
    Ok(Some(dialog).filter(|dialog| dialog.pane_client_id == client.id()))
}

/// The dialog that stands for the instance of one of the client's dialogs now; none if it is another's.
pub(super) async fn standing(conn: &mut PgConnection, client: &PaneClient, id: Uuid) -> Result<Option<Uuid>> {
    let Some(asked) = own(dialogs::find(conn, id).await?, client)? else { return Ok(None) };
    let now = dialogs::of_instance(conn, client.id(), asked.instance).await?;
    Ok(Some(now.map_or(asked.id, |now| now.id)))
}
