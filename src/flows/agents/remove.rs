//! An admin at the machine removes an agent: its tokens end, what it asked for is withdrawn, its name stays taken.

use serde_json::json;

use super::token::revoke_all;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::domain::proposal::Status;
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::proposals::close::{self, Close};
use crate::store::proposals::create;
use crate::store::{self, agents, events};

/// What approvers read on what it had asked for.
const WITHDRAWN: &str = "Its agent was removed.";

/// Removes the agent, and withdraws what nobody would collect any more.
pub async fn remove(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let agent = agents::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    revoke_all(&mut tx, (admin, name), &agent, now).await?;
    let mut withdrawn = Vec::new();
    for proposal_id in create::pending_ids(&mut tx, agent.id).await? {
        close::lock(&mut tx, proposal_id).await?;
        let actor = admin.actor().to_string();
        let closing = Close { proposal_id, status: Status::Withdrawn, reason: Some(WITHDRAWN), now, actor };
        withdrawn.push((proposal_id, close::close(&mut tx, closing).await?));
    }
    agents::remove(&mut tx, agent.id, now).await?;
    let payload = json!({"agent": name, "agent_id": agent.id, "withdrawn": withdrawn.len()});
    let row = act(EventKind::AgentRemoved, admin.actor(), payload, now);
    events::append(&mut tx, at(Place::lane(agent.project_id, agent.lane_id), row)).await?;
    tx.commit().await?;
    app.hub.bearers.clear();
    for (proposal, version) in withdrawn {
        app.hub.tell(proposal, version);
        app.metrics.closed(Status::Withdrawn.as_str());
    }
    app.hub.poke();
    Ok(())
}
