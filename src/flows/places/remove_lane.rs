//! An admin at the machine removes a lane that has no agents left; what its panes ask is withdrawn.

use serde_json::json;

use super::in_use;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::error::{Error, Result};
use crate::flows::attention;
use crate::flows::dialogs::end::{self, Ending};
use crate::flows::record::{act, at};
use crate::store::{self, agents, dialogs, events, places};

/// Removes the lane; its name stays taken and its proposals stay readable.
pub async fn remove_lane(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    // The update takes the row, so that no agent slips in behind the look at the agents.
    let removed = places::remove_lane(&mut tx, name, now).await?;
    let (project, lane) = removed.ok_or_else(Error::not_found)?;
    let agents = agents::of_lane(&mut tx, lane).await?;
    if !agents.is_empty() {
        return Err(in_use("agents", &agents));
    }
    admin.confirm(&mut tx, now).await?;
    let mut ended = Vec::new();
    for dialog in dialogs::open_of_lane(&mut tx, lane).await? {
        ended.push(end::end(&mut tx, app, (dialog, Ending::LaneRemoved), &admin.actor()).await?);
    }
    attention::clear_lane(&mut tx, lane, &admin.actor(), now).await?;
    let row = act(EventKind::LaneRemoved, admin.actor(), json!({"lane": name}), now);
    events::append(&mut tx, at(Place::lane(project, lane), row)).await?;
    tx.commit().await?;
    for one in ended {
        one.tell(app);
    }
    app.hub.poke();
    Ok(())
}
