//! A pane that nobody has reported for half a minute is unknown: never safe to type into.

use serde_json::json;

use super::drift::{self, PaneOf};
use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::pane::FRESH;
use crate::error::Result;
use crate::store::events::{self, NewEvent};
use crate::store::{self, panes};

/// The tick: makes unknown what has gone silent; the answer is how many.
pub async fn silence(app: &App) -> Result<usize> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let silent = panes::silence(&mut tx, (now - FRESH, now)).await?;
    for pane in &silent {
        let row = NewEvent {
            kind: EventKind::PaneStatus,
            actor: Actor::System,
            place: Place::lane(pane.project_id, pane.lane_id),
            proposal: None,
            payload: json!({
                "pane": pane.key, "status": "unknown", "safe_to_type": false, "session_id": pane.session_id,
                "agent_kind": pane.agent_kind, "pane_client_id": pane.pane_client_id,
            }),
            at: now,
        };
        events::append(&mut tx, row).await?;
        if let Some(drift) = &pane.drift {
            let of = PaneOf { client: pane.pane_client_id, key: &pane.key };
            drift::over(&mut tx, of, drift, (&Actor::System, now)).await?;
        }
    }
    tx.commit().await?;
    if !silent.is_empty() {
        app.hub.poke();
    }
    Ok(silent.len())
}
