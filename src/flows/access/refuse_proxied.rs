//! Something passed a request on to the local socket: refused, and written down.

use serde_json::json;

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::domain::event::{Actor, EventKind};
use crate::error::{Code, Problem, Result};
use crate::flows::record::act;
use crate::store::{self, events};

/// Writes the row first; the refusal is what comes back.
pub async fn refuse_proxied(app: &AppState, peer: Option<&LocalPeer>, header: &str) -> Result<Problem> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let actor = peer.map_or(Actor::System, LocalPeer::actor);
    let row = act(EventKind::LocalRefused, actor, json!({"header": header}), now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(Problem::new(
        Code::Proxied,
        format!("The local socket does not take requests that a browser or proxy passed on (header {header})."),
    ))
}
