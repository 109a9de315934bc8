//! Somebody at the local socket was refused: written down, whatever it was about.

use serde_json::json;

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::domain::event::{Actor, EventKind};
use crate::error::{Code, Result};
use crate::flows::record::act;
use crate::store::{self, events, people};

/// What was refused, and to whom.
#[derive(Debug)]
pub struct Refusal {
    /// The process.
    pub peer: Option<LocalPeer>,
    /// What it was told.
    pub code: Code,
    /// What it wanted to do.
    pub method: String,
    /// To what.
    pub route: Option<String>,
    /// The name it gave with a password.
    pub claimed: Option<String>,
    /// The header that gave it away.
    pub header: Option<String>,
}

/// Writes the row. A name is kept only if somebody has it: what was typed may be a password in the wrong field.
pub async fn refuse(app: &AppState, refusal: &Refusal) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let account = match &refusal.claimed {
        Some(name) => people::account(&mut tx, name).await?,
        None => None,
    };
    let actor = refusal.peer.as_ref().map_or(Actor::System, LocalPeer::actor);
    let payload = json!({
        "code": refusal.code.as_str(),
        "method": refusal.method,
        "route": refusal.route,
        "as": account.map(|account| account.name),
        "header": refusal.header,
    });
    events::append(&mut tx, act(EventKind::LocalRefused, actor, payload, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
