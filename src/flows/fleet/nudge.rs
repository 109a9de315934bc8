//! A lead that does not know its news is nudged: seldom, a few times, and only when its pane is idle.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use super::seat::horizon;
use super::tell::Moved;
use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::rendezvous::{self, NUDGE_AFTER, NUDGE_EVERY, NUDGES_MAX};
use crate::error::Result;
use crate::store;
use crate::store::orders::{self, NewText};
use crate::store::tickets;

/// When news was settled, when the last nudge may have been, and how many there may be.
fn limits(now: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>, i32) {
    (now - NUDGE_AFTER, now - NUDGE_EVERY, NUDGES_MAX)
}

/// Nudges every lead that is due; how many were.
pub(super) async fn nudge_due(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let due = tickets::to_nudge(&mut conn, now, limits(now)).await?;
    drop(conn);
    let mut nudged = 0;
    for agent in due {
        nudged += usize::from(nudge(app, agent).await?);
    }
    Ok(nudged)
}

/// Nudges one lead for all of its news at once; not when nobody knows which pane is its.
async fn nudge(app: &App, agent: Uuid) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let seats = tickets::seats_of_agent(&mut tx, agent, horizon(now)).await?;
    let [own] = &seats[..] else { return Ok(false) };
    if !tickets::try_lock_pane(&mut tx, own.pane_client_id, &own.pane_key).await? {
        return Ok(false);
    }
    let pane = tickets::pane_now(&mut tx, own.pane_client_id, &own.pane_key).await?;
    if pane.is_none_or(|pane| pane.has_lost(&own.session_id, now) || pane.obstacle(now).is_some()) {
        return Ok(false);
    }
    let news = tickets::news_of(&mut tx, (agent, now), limits(now)).await?;
    if news.is_empty() {
        return Ok(false);
    }
    let ids = json!(news);
    let new = NewText {
        id: app.ids.new_id(now),
        kind: "nudge",
        trigger: "message",
        place: (own.project_id, own.lane_id),
        pane: own.pane(),
        text: &rendezvous::nudge(&news),
        msg_ids: Some(&ids),
        policy_version: None,
        ordered_by: &Actor::System.to_string(),
        now,
    };
    orders::insert_text(&mut tx, &new).await?;
    tickets::note_nudge(&mut tx, &news, now).await?;
    tx.commit().await?;
    Moved { clients: vec![own.pane_client_id], ..Moved::default() }.tell(app);
    Ok(true)
}
