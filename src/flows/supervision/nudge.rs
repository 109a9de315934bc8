//! An approver has a line typed to an agent that is idle; what came of it is known when the pane client says so.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::Person;
use crate::domain::access::{self, Verb};
use crate::domain::event::{EventKind, Place};
use crate::domain::pane::FRESH;
use crate::domain::policy::takes::{is_nudge, takes};
use crate::error::{Error, Result};
use crate::flows::orders::shape::{self, Order};
use crate::flows::record::{act, at};
use crate::store::orders::{self, NewText};
use crate::store::panes::{self, PaneRow};
use crate::store::places::{self, LaneRow};
use crate::store::{self, acted, events, policies};

/// How long the answer waits for the pane client.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often it looks for itself: the client may talk to another server.
const GLANCE: Duration = Duration::from_millis(500);

/// The body of `POST /api/v1/supervision/nudge`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nudge {
    /// The lane's name.
    pub lane: String,
    /// The pane's key; the lane's only one when left out.
    #[serde(default)]
    pub pane: Option<String>,
    /// What is typed; the lane's nudge text when left out.
    #[serde(default)]
    pub text: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Nudged {
    /// The pane client has reported.
    Done(NudgeOutcome),
    /// It has not; the order stands.
    Waiting(Box<Order>),
}

/// What the pane client reported.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct NudgeOutcome {
    /// `sent`, `skipped` or `failed`.
    pub outcome: Option<String>,
    /// The audit's entry.
    pub entry_id: i64,
    /// The keys that were sent.
    pub keys: Option<Vec<String>>,
    /// Why it came to that.
    pub reason: Option<String>,
}

/// Orders the nudge and waits a moment for what comes of it. The same line for the same pane, while it waits to be taken,
/// is the same order.
pub async fn nudge(app: &AppState, person: &Person, wish: &Nudge) -> Result<Nudged> {
    if let Some(text) = &wish.text
        && !is_nudge(text)
    {
        return Err(Error::invalid("text", format!("text {}.", takes("nudge_text"))));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let lane = permitted(&mut tx, person, &wish.lane, now).await?;
    let text = match &wish.text {
        Some(text) => text.clone(),
        None => policies::head(&mut tx).await?.1.resolve(&lane.name).nudge_text,
    };
    let pane = chosen(panes::of_lane(&mut tx, lane.id, now - FRESH).await?, wish)?;
    let to = (pane.pane_client_id, pane.key.as_str());
    // Two taps at once are one line: whoever comes second sees the order of the first.
    panes::lock(&mut tx, to.0, to.1).await?;
    let id = match orders::waiting_nudge(&mut tx, to, &text).await? {
        Some(id) => id,
        None => {
            let id = app.ids.new_id(now);
            order(&mut tx, person, (id, &lane, to), (&text, now)).await?;
            id
        }
    };
    let mut waiter = app.hub.waiters.register(id);
    tx.commit().await?;
    app.hub.waiters.stir(pane.pane_client_id);
    app.hub.poke();
    let end = Instant::now() + PATIENCE;
    loop {
        let mut conn = app.db.acquire().await?;
        if let Some(row) = acted::of_order(&mut conn, id).await? {
            let told = row.particulars();
            let done = NudgeOutcome { outcome: told.outcome, entry_id: row.id, keys: told.keys, reason: told.reason };
            return Ok(Nudged::Done(done));
        }
        if Instant::now() >= end || app.stopping.is_cancelled() {
            let row = orders::find(&mut conn, id).await?.ok_or_else(Error::not_found)?;
            return Ok(Nudged::Waiting(Box::new(shape::order(&row, false))));
        }
        drop(conn);
        let glance = end.min(Instant::now() + GLANCE);
        // Whether it was stirred or only time has passed: it looks again.
        let _ = timeout_at(glance, waiter.stirred()).await;
    }
}

/// The lane, for somebody who may nudge there.
async fn permitted(conn: &mut PgConnection, person: &Person, lane: &str, now: DateTime<Utc>) -> Result<LaneRow> {
    let grants = person.confirm(conn, now).await?;
    let found = places::lanes(conn, Some(lane)).await?.into_iter().next();
    let may = |verb, row: &LaneRow| access::at_place(&grants, verb, (row.project_id, row.id), now);
    let row = found.filter(|row| may(Verb::Read, row)).ok_or_else(Error::not_found)?;
    if may(Verb::Nudge, &row) {
        return Ok(row);
    }
    Err(Error::forbidden("Approvers and admins of the lane nudge its agents."))
}

/// The pane that is meant, if it is one and is watched.
fn chosen(panes: Vec<PaneRow>, wish: &Nudge) -> Result<PaneRow> {
    let watched: Vec<PaneRow> = panes.into_iter().filter(|pane| pane.status != "unknown").collect();
    let names = watched.iter().map(|pane| pane.key.clone()).collect::<Vec<_>>().join(", ");
    let wanted = |pane: &PaneRow| wish.pane.as_ref().is_none_or(|key| *key == pane.key);
    let mut fitting = watched.into_iter().filter(wanted);
    let detail = match (fitting.next(), fitting.next(), &wish.pane) {
        (Some(pane), None, _) => return Ok(pane),
        (None, ..) if names.is_empty() => {
            format!("No pane of lane {} is watched now: its pane client has reported none for 30 seconds.", wish.lane)
        }
        (None, _, Some(key)) => format!("No pane {key} of lane {} is watched now; there are {names}.", wish.lane),
        (_, _, Some(key)) => {
            format!("Two pane clients report a pane {key} in lane {}: give one of them another key.", wish.lane)
        }
        (_, _, None) => format!("Lane {} has more than one pane; name one of {names}.", wish.lane),
    };
    Err(Error::invalid("pane", detail))
}

async fn order(
    tx: &mut PgConnection,
    person: &Person,
    (id, lane, pane): (Uuid, &LaneRow, (Uuid, &str)),
    (text, now): (&str, DateTime<Utc>),
) -> Result<()> {
    let new = NewText {
        id,
        kind: "nudge",
        trigger: "manual_nudge",
        place: (lane.project_id, lane.id),
        pane,
        text,
        msg_ids: None,
        policy_version: None,
        ordered_by: &person.actor().to_string(),
        now,
    };
    orders::insert_text(tx, &new).await?;
    let payload = json!({ "order_id": id, "pane": pane.1, "text": text });
    let row = act(EventKind::NudgeOrdered, person.actor(), payload, now);
    Ok(events::append(tx, at(Place::lane(lane.project_id, lane.id), row)).await?)
}
