//! An admin at the machine names a worktree of a project: the unit of supervision.

use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::check_folder;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::domain::name::Name;
use crate::error::{Error, Result};
use crate::flows::people::taken;
use crate::flows::record::{act, at};
use crate::store::{self, events, places};

/// A lane to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewLane {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Name,
    /// Its project's name.
    pub project: String,
    /// The worktree's folder.
    pub worktree: String,
    /// The profile its agents run with.
    #[serde(default)]
    pub profile: Option<String>,
}

/// Adds the lane; returns its id.
pub async fn add_lane(app: &AppState, admin: &LocalAdmin, new: &NewLane) -> Result<Uuid> {
    check_folder("worktree", &new.worktree)?;
    let plain = |text: &String| (1..=63).contains(&text.len()) && !text.chars().any(char::is_control);
    if !new.profile.as_ref().is_none_or(plain) {
        return Err(Error::invalid("profile", "A profile has 1 to 63 characters."));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let project = places::project(&mut tx, &new.project).await?;
    let project = project.ok_or_else(|| Error::invalid("project", format!("There is no project {}.", new.project)))?;
    let id = app.ids.new_id(now);
    let name = new.name.as_str();
    let lane = places::NewLane {
        id,
        name,
        project_id: project,
        worktree: &new.worktree,
        profile: new.profile.as_deref(),
        at: now,
    };
    places::insert_lane(&mut tx, lane).await.map_err(|error| taken(error, "lanes_name_key", name))?;
    admin.confirm(&mut tx, now).await?;
    let payload = json!({"lane": name, "project": new.project, "worktree": new.worktree, "profile": new.profile});
    let row = act(EventKind::LaneAdded, admin.actor(), payload, now);
    events::append(&mut tx, at(Place::lane(project, id), row)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}
