//! An admin at the machine takes a pane client's tokens back; the client stays and can get a new one.

use super::token::revoke_all;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::error::{Error, Result};
use crate::store::{self, pane_clients};

/// Ends every token of the client at once, the short-lived ones too; returns how many long-lived ones there were.
pub async fn revoke(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<usize> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let id = pane_clients::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    let ended = revoke_all(&mut tx, (admin, name), (id, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(ended)
}
