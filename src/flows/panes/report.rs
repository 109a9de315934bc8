//! A pane client reports a pane, every ten seconds and on change; only a change is told.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::drift::{self, Seen};
use crate::app::App;
use crate::auth::{LaneRef, PaneClient};
use crate::domain::event::{EventKind, Place};
use crate::domain::pane::PaneReport;
use crate::error::Result;
use crate::flows::dialogs::cross::{self, Reached};
use crate::flows::fleet;
use crate::store;
use crate::store::events::{self, NewEvent};
use crate::store::panes::{self, NewPane, Standing};

/// Stores the report; a pane of a lane that is not the client's is not there.
pub async fn report(app: &App, client: &PaneClient, key: &str, pane: &PaneReport) -> Result<()> {
    pane.check(key)?;
    let Some(lane) = client.lane(&pane.lane) else {
        return Err(cross::refuse(app, client, Reached::Lane(&pane.lane)).await);
    };
    let mut tx = app.db.begin().await?;
    client.confirm(&mut tx).await?;
    let (before, drift) = panes::lock(&mut tx, client.id(), key).await?.unzip();
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    panes::put(&mut tx, &stored(client, (key, pane), lane, now)).await?;
    let standing = standing(pane, lane);
    let seen = Seen { client, lane, key, report: pane };
    let drifted = drift::note(app, &mut tx, &seen, (drift.flatten(), now)).await?;
    let changed = before.as_ref().is_none_or(|known| *known != standing);
    if changed {
        let row = NewEvent {
            kind: EventKind::PaneStatus,
            actor: client.actor(),
            place: Place::lane(lane.project, lane.id),
            proposal: None,
            payload: json!({
                "pane": key, "status": pane.status, "from": before.map(|before| before.status),
                "safe_to_type": pane.safe_to_type(), "awaiting_input": pane.awaiting_input, "limit": pane.limit,
                "session_id": pane.session_id, "agent_kind": pane.agent_kind,
            }),
            at: now,
        };
        events::append(&mut tx, row).await?;
    }
    let moved = fleet::on_report(app, &mut tx, (client, key, pane), now).await?;
    tx.commit().await?;
    moved.tell(app);
    if changed || drifted {
        app.hub.poke();
    }
    Ok(())
}

/// What is told of a change.
fn standing(pane: &PaneReport, lane: &LaneRef) -> Standing {
    Standing {
        status: pane.status.as_str().to_owned(),
        awaiting_input: pane.awaiting_input,
        limit: pane.limit,
        lane_id: lane.id,
    }
}

fn stored<'a>(
    client: &PaneClient,
    (key, pane): (&'a str, &'a PaneReport),
    lane: &LaneRef,
    now: DateTime<Utc>,
) -> NewPane<'a> {
    NewPane {
        pane_client_id: client.id(),
        key,
        place: (lane.project, lane.id),
        agent_kind: &pane.agent_kind,
        session_id: pane.session_id.as_deref(),
        status: pane.status.as_str(),
        safe_to_type: pane.safe_to_type(),
        awaiting_input: pane.awaiting_input,
        ended_turn: pane.ended_turn,
        limit: pane.limit,
        external: pane.external,
        quiet_since: pane.quiet_since,
        last_activity_at: pane.last_activity_at,
        turn_tail: pane.turn_tail.as_ref().map(|tail| json!(tail)),
        drift: pane.drift.as_deref(),
        client: pane.client.as_ref().map(|client| json!(client)),
        now,
    }
}
