//! An admin at the machine gives an agent a new token; the old one dies at once, or after an overlap.

use chrono::TimeDelta;
use serde_json::json;

use super::token::{Issued, issue, revoke_all};
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::{self, agents, events, tokens};

/// The longest overlap, in seconds: a week.
pub(in crate::flows) const OVERLAP_MAX: u32 = 7 * 24 * 3600;

/// Makes the new token. With an overlap the old ones get an end, and the caches are told so now.
pub async fn rotate(app: &AppState, admin: &LocalAdmin, name: &str, overlap_secs: u32) -> Result<Issued> {
    if overlap_secs > OVERLAP_MAX {
        return Err(Error::invalid("overlap_secs", "takes 0 to 604800 seconds"));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let agent = agents::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    if overlap_secs == 0 {
        revoke_all(&mut tx, (admin, name), &agent, now).await?;
    } else {
        let end = now + TimeDelta::seconds(overlap_secs.into());
        let place = Place::lane(agent.project_id, agent.lane_id);
        for token_id in tokens::expire_all(&mut tx, agent.id, end).await? {
            let payload = json!({"agent": name, "agent_id": agent.id, "token_id": token_id, "ends_at": end});
            let row = act(EventKind::TokenRevoked, admin.actor(), payload, now);
            events::append(&mut tx, at(place, row)).await?;
        }
    }
    let issued = issue(app, &mut tx, (admin, name), &agent, now).await?;
    tx.commit().await?;
    app.hub.bearers.clear();
    app.hub.poke();
    Ok(issued)
}
