//! An admin at the machine names a repository.

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::check_folder;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::domain::name::Name;
use crate::error::Result;
use crate::flows::people::taken;
use crate::flows::record::{act, at};
use crate::store::{self, events, places};

/// A project to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Name,
    /// The repository's folder.
    pub repo: String,
}

/// Adds the project; returns its id.
pub async fn add_project(app: &AppState, admin: &LocalAdmin, new: &NewProject) -> Result<Uuid> {
    check_folder("repo", &new.repo)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let id = app.ids.new_id(now);
    let name = new.name.as_str();
    places::insert_project(&mut tx, id, (name, &new.repo), now)
        .await
        .map_err(|error| taken(error, "projects_name_key", name))?;
    admin.confirm(&mut tx, now).await?;
    let payload = json!({"project": name, "repo": new.repo});
    let row = act(EventKind::ProjectAdded, admin.actor(), payload, now);
    events::append(&mut tx, at(Place { project: Some(id), lane: None }, row)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}
