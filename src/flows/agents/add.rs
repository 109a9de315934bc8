//! An admin at the machine adds an agent to a lane and gets its token.

use serde::Deserialize;
use serde_json::json;

use super::token::{Issued, issue};
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::domain::name::Name;
use crate::error::{Error, Result};
use crate::flows::people::taken;
use crate::flows::record::{act, at};
use crate::store::agents::AgentPlace;
use crate::store::{self, agents, events, instance, places};

/// An agent to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAgent {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Name,
    /// The name of the lane it is bound to.
    pub lane: String,
    /// Whether it leads its project.
    #[serde(default)]
    pub lead: bool,
    /// The pane it is bound to.
    #[serde(default)]
    pub pane: Option<String>,
}

/// Adds the agent.
pub async fn add(app: &AppState, admin: &LocalAdmin, new: &NewAgent) -> Result<Issued> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_key = |key: &String| (1..=64).contains(&key.len()) && key.chars().all(fits);
    if !new.pane.as_ref().is_none_or(is_key) {
        return Err(Error::invalid("pane", "A pane's key has 1 to 64 of A-Z, a-z, 0-9, '.', '_', '-'."));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let cap = instance::settings(&mut tx).await?.agent_cap;
    let lane = places::lane(&mut tx, &new.lane).await?;
    let (lane_id, project_id) =
        lane.ok_or_else(|| Error::invalid("lane", format!("There is no lane {}.", new.lane)))?;
    let place = AgentPlace { id: app.ids.new_id(now), lane_id, project_id };
    let name = new.name.as_str();
    let agent = agents::NewAgent {
        id: place.id,
        name,
        lane_id,
        lead: new.lead,
        pane: new.pane.as_deref(),
        cap: i32::try_from(cap).unwrap_or(i32::MAX),
        at: now,
    };
    agents::insert(&mut tx, agent).await.map_err(|error| taken(error, "agents_name_key", name))?;
    admin.confirm(&mut tx, now).await?;
    let payload = json!({"agent": name, "agent_id": place.id, "lane": new.lane, "lead": new.lead, "pane": new.pane});
    let row = act(EventKind::AgentAdded, admin.actor(), payload, now);
    events::append(&mut tx, at(Place::lane(project_id, lane_id), row)).await?;
    let issued = issue(app, &mut tx, (admin, name), &place, now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(issued)
}
