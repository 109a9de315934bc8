//! An agent's client speaks MCP for the first time: from now on there is somebody to deliver to. What waits for that is
//! found by the next tick.

use crate::app::App;
use crate::auth::Agent;
use crate::auth::extract::noted;
use crate::error::Result;
use crate::store::{self, agents};

/// Notes it, once in the agent's life.
pub async fn mount(app: &App, agent: &Agent) -> Result<()> {
    if agent.is_mounted() {
        return Ok(());
    }
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    noted(agents::mount(&mut conn, agent.id(), now).await)
}
