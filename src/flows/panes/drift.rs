//! A menu that no rule knows: on the record once, and a person is needed for as long as the pane shows it.

use chrono::{DateTime, Utc};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{LaneRef, PaneClient};
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::pane::PaneReport;
use crate::error::Result;
use crate::flows::attention::{self, Episode};
use crate::store::events::{self, NewEvent};
use crate::store::panes::Drift;

/// A pane of a client.
#[derive(Clone, Copy, Debug)]
pub(in crate::flows) struct PaneOf<'a> {
    /// The client.
    pub client: Uuid,
    /// The pane's key.
    pub key: &'a str,
}

/// Notes that a pane's menu is another one, or gone, than it was `before`.
pub(super) async fn note(
    app: &App,
    tx: &mut PgConnection,
    seen: &Seen<'_>,
    (before, now): (Option<Drift>, DateTime<Utc>),
) -> Result<bool> {
    let Seen { client, lane, key, report } = *seen;
    let drift = report.drift.as_deref();
    if before.as_ref().map(|before| (before.text.as_str(), before.lane_id)) == drift.map(|text| (text, lane.id)) {
        return Ok(false);
    }
    let pane = PaneOf { client: client.id(), key };
    if let Some(before) = before {
        over(tx, pane, &before, (&client.actor(), now)).await?;
    }
    let Some(text) = drift else { return Ok(true) };
    events::append(tx, row(seen, text, now)).await?;
    let drift = Drift { text: text.to_owned(), since: now, project_id: lane.project, lane_id: lane.id };
    let episode = Episode {
        place: (lane.project, lane.id),
        cause: Cause::Drift,
        key: &episode(pane, &drift),
        proposal: None,
        detail: &format!("Pane {key} shows a menu that this version does not know. Answer it at the terminal."),
    };
    attention::raise(app, tx, &episode, now).await?;
    Ok(true)
}

/// A report of a pane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    /// Who reports.
    pub client: &'a PaneClient,
    /// The pane's lane.
    pub lane: &'a LaneRef,
    /// The pane's key.
    pub key: &'a str,
    /// The report.
    pub report: &'a PaneReport,
}

/// Nobody sees the menu any more.
pub(in crate::flows) async fn over(
    tx: &mut PgConnection,
    pane: PaneOf<'_>,
    drift: &Drift,
    (actor, now): (&Actor<'_>, DateTime<Utc>),
) -> Result<()> {
    let place = (drift.project_id, drift.lane_id);
    attention::clear_episode(tx, (place, Cause::Drift, &episode(pane, drift)), actor, now).await
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// The same menu is one episode for as long as it is there.
fn episode(pane: PaneOf<'_>, drift: &Drift) -> String {
    format!("{}/{}/{}@{}", pane.client, pane.key, sha256(&drift.text), drift.since.timestamp_micros())
}

/// The row of an unknown menu. Its words are an agent's screen and stay with the pane, where the next report replaces them.
fn row<'a>(seen: &Seen<'a>, drift: &str, now: DateTime<Utc>) -> NewEvent<'a> {
    let report = seen.report;
    NewEvent {
        kind: EventKind::PaneDrift,
        actor: seen.client.actor(),
        place: Place::lane(seen.lane.project, seen.lane.id),
        proposal: None,
        payload: json!({
            "pane": seen.key, "agent_kind": report.agent_kind, "rows": drift.lines().count(), "sha256": sha256(drift),
            "client_version": report.client.as_ref().map(|client| &client.version),
        }),
        at: now,
    }
}
