//! An admin at the machine removes an agent: its tokens end, its name stays taken.

use serde_json::json;

use super::token::revoke_all;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::{self, agents, events};

/// Removes the agent.
pub async fn remove(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let agent = agents::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    revoke_all(&mut tx, (admin, name), &agent, now).await?;
    agents::remove(&mut tx, agent.id, now).await?;
    let payload = json!({"agent": name, "agent_id": agent.id});
    let row = act(EventKind::AgentRemoved, admin.actor(), payload, now);
    events::append(&mut tx, at(Place::lane(agent.project_id, agent.lane_id), row)).await?;
    tx.commit().await?;
    app.hub.bearers.clear();
    app.hub.poke();
    Ok(())
}
