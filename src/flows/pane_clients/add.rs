//! An admin at the machine adds a pane client for some lanes and gets its token.

use serde::Deserialize;
use serde_json::json;

use super::token::{Issued, issue};
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::domain::name::Name;
use crate::error::{Error, Result};
use crate::flows::people::taken;
use crate::flows::record::act;
use crate::store::{self, events, pane_clients, places};

/// A pane client to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPaneClient {
    /// Its name.
    #[schema(value_type = String)]
    pub name: Name,
    /// The names of the lanes it is bound to.
    pub lanes: Vec<String>,
}

/// Adds the pane client.
pub async fn add(app: &AppState, admin: &LocalAdmin, new: &NewPaneClient) -> Result<Issued> {
    let mut names = new.lanes.clone();
    names.sort();
    names.dedup();
    if names.is_empty() {
        return Err(Error::invalid("lanes", "A pane client watches at least one lane."));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let mut lanes = Vec::new();
    for name in &names {
        let lane = places::lane(&mut tx, name).await?;
        let (lane_id, _) = lane.ok_or_else(|| Error::invalid("lanes", format!("There is no lane {name}.")))?;
        lanes.push(lane_id);
    }
    let id = app.ids.new_id(now);
    let name = new.name.as_str();
    let inserted = pane_clients::insert(&mut tx, (id, name), &lanes, now).await;
    inserted.map_err(|error| taken(error, "pane_clients_name_key", name))?;
    admin.confirm(&mut tx, now).await?;
    let payload = json!({"pane_client": name, "pane_client_id": id, "lanes": names});
    events::append(&mut tx, act(EventKind::PaneClientAdded, admin.actor(), payload, now)).await?;
    let issued = issue(app, &mut tx, (admin, name), (id, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(issued)
}
