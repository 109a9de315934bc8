//! An admin at the machine takes an agent's tokens back; the agent stays and can get a new one.

use super::token::revoke_all;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::error::{Error, Result};
use crate::store::{self, agents};

/// Ends every token of the agent at once; returns how many there were.
pub async fn revoke(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<usize> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let agent = agents::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    let ended = revoke_all(&mut tx, (admin, name), &agent, now).await?;
    tx.commit().await?;
    app.hub.bearers.clear();
    app.hub.poke();
    Ok(ended)
}
