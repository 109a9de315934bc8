//! An admin at the machine removes a pane client: its tokens end, what it watched is withdrawn, its name stays taken.

use serde_json::json;

use super::token::revoke_all;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::dialogs::end::{self, Ending};
use crate::flows::panes::drift::{self, PaneOf};
use crate::flows::record::act;
use crate::store::{self, dialogs, events, pane_clients, panes, policies};

/// Removes the pane client. Orders that it has taken end with their lease.
pub async fn remove(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    let id = pane_clients::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    revoke_all(&mut tx, (admin, name), (id, now)).await?;
    let mut ended = Vec::new();
    for dialog in dialogs::open_of_client(&mut tx, id).await? {
        ended.push(end::end(&mut tx, app, (dialog, Ending::ClientRemoved), &admin.actor()).await?);
    }
    for (key, menu) in panes::drifts(&mut tx, id).await? {
        drift::over(&mut tx, PaneOf { client: id, key: &key }, &menu, (&admin.actor(), now)).await?;
    }
    pane_clients::remove(&mut tx, id, now).await?;
    let payload = json!({"pane_client": name, "pane_client_id": id, "dialogs": ended.len()});
    events::append(&mut tx, act(EventKind::PaneClientRemoved, admin.actor(), payload, now)).await?;
    tx.commit().await?;
    for one in ended {
        one.tell(app);
    }
    app.hub.poke();
    Ok(())
}
