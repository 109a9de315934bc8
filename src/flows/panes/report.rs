//! A pane client reports a pane, every ten seconds and on change; only a change is told.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drift::{self, Seen};
use crate::app::App;
use crate::auth::{LaneRef, PaneClient};
use crate::domain::ask::BadField;
use crate::domain::event::{EventKind, Place};
use crate::domain::pane::PaneStatus;
use crate::domain::report::{bounded, is_pane_key, named};
use crate::error::{Error, Result};
use crate::flows::dialogs::cross::{self, Reached};
use crate::flows::fleet;
use crate::store;
use crate::store::events::{self, NewEvent};
use crate::store::panes::{self, NewPane, Standing};

/// Longest tail of a turn, in bytes.
const TAIL_MAX: usize = 8 * 1024;
/// Longest unknown menu, in characters.
const DRIFT_MAX: usize = 8_000;

/// The end of what an agent said in a turn.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnTail {
    /// The text, at most 8 KiB.
    pub text: String,
    /// More stood before it.
    pub clipped: bool,
}

/// The program that reports.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientInfo {
    /// Its version.
    pub version: String,
    /// The machine it runs on.
    pub host: String,
}

/// The body of `PUT /api/v1/panes/{key}`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own on the wire")]
pub struct PaneReport {
    /// The lane's name.
    pub lane: String,
    /// `claude`, `codex`, …
    pub agent_kind: String,
    /// The agent's session, if the client knows it.
    #[serde(default)]
    pub session_id: Option<String>,
    /// How it stands.
    pub status: PaneStatus,
    /// Text may be typed.
    pub safe_to_type: bool,
    /// It asks something in plain words.
    pub awaiting_input: bool,
    /// The agent has ended its turn.
    pub ended_turn: bool,
    /// The provider's limit is on the screen.
    pub limit: bool,
    /// Watched only: the client does not type there, and no text is ordered for it.
    pub external: bool,
    /// Since when the screen is unchanged.
    #[serde(default)]
    pub quiet_since: Option<DateTime<Utc>>,
    /// When the agent last did something.
    #[serde(default)]
    pub last_activity_at: Option<DateTime<Utc>>,
    /// What a turn has ended with.
    #[serde(default)]
    pub turn_tail: Option<TurnTail>,
    /// What looks like a menu at the foot of the screen, and no rule of the client knows: the program's wording has changed.
    #[serde(default)]
    pub drift: Option<String>,
    /// The program that reports.
    #[serde(default)]
    pub client: Option<ClientInfo>,
}

impl PaneReport {
    fn check(&self, key: &str) -> Result<(), BadField> {
        if !is_pane_key(key) {
            let detail = "has 1 to 64 of A-Z, a-z, 0-9, '.', '_', '-'".to_owned();
            return Err(BadField { field: "key".into(), detail });
        }
        named("agent_kind", &self.agent_kind)?;
        self.session_id.as_deref().map_or(Ok(()), |text| named("session_id", text))?;
        if let Some(tail) = &self.turn_tail {
            bounded("turn_tail.text", &tail.text, TAIL_MAX)?;
            if tail.text.len() > TAIL_MAX {
                return Err(BadField { field: "turn_tail.text".into(), detail: "takes at most 8 KiB".into() });
            }
        }
        self.drift.as_deref().map_or(Ok(()), |text| bounded("drift", text, DRIFT_MAX))?;
        if let Some(client) = &self.client {
            named("client.version", &client.version)?;
            named("client.host", &client.host)?;
        }
        Ok(())
    }

    /// What is told of a change. A dialog on the screen never takes text, whatever the client says.
    fn standing(&self, lane: &LaneRef) -> Standing {
        Standing {
            status: self.status.as_str().to_owned(),
            awaiting_input: self.awaiting_input,
            limit: self.limit,
            lane_id: lane.id,
        }
    }

    /// Text may go in: neither over a dialog, nor where its client only watches.
    fn safe_to_type(&self) -> bool {
        self.safe_to_type && self.status == PaneStatus::Idle && !self.external
    }
}

/// Stores the report; a pane of a lane that is not the client's is not there.
pub async fn report(app: &App, client: &PaneClient, key: &str, pane: &PaneReport) -> Result<()> {
    pane.check(key).map_err(|bad| Error::invalid(bad.field, bad.detail))?;
    let Some(lane) = client.lane(&pane.lane) else {
        return Err(cross::refuse(app, client, Reached::Lane(&pane.lane)).await);
    };
    let mut tx = app.db.begin().await?;
    client.confirm(&mut tx).await?;
    let (before, drift) = panes::lock(&mut tx, client.id(), key).await?.unzip();
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    panes::put(&mut tx, &stored(client, (key, pane), lane, now)).await?;
    let standing = pane.standing(lane);
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
