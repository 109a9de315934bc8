//! An admin at the machine removes a project that has no lanes left.

use serde_json::json;

use super::in_use;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::{self, events, places};

/// Removes the project; its name stays taken.
pub async fn remove_project(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    // The update takes the row, so that no lane slips in behind the look at the lanes.
    let id = places::remove_project(&mut tx, name, now).await?;
    let id = id.ok_or_else(Error::not_found)?;
    let lanes = places::lanes_of(&mut tx, id).await?;
    if !lanes.is_empty() {
        return Err(in_use("lanes", &lanes));
    }
    admin.confirm(&mut tx, now).await?;
    let row = act(EventKind::ProjectRemoved, admin.actor(), json!({"project": name}), now);
    events::append(&mut tx, at(Place { project: Some(id), lane: None }, row)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
