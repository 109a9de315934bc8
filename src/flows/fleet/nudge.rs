//! A lead that does not know its news is nudged: seldom, a few times, and only when its pane is idle.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::news;

use super::seat::horizon;
use super::tell::Moved;
use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::rendezvous::{self, NUDGE_AFTER, NUDGE_EVERY, NUDGES_MAX, PaneNow};
use crate::error::Result;
use crate::flows::orders::AtLease;
use crate::store;
use crate::store::orders::{self, NewText, OrderRow};
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

/// Whether a nudge still stands when its client takes it: its lead is in that pane, and there is news that it has not had.
pub(super) async fn at_lease(tx: &mut PgConnection, order: &OrderRow, now: DateTime<Utc>) -> Result<AtLease> {
    let carried = order.msg_ids.clone().unwrap_or_default();
    // Our own list of ids; one that cannot be read names none.
    let ids: Vec<Uuid> = serde_json::from_value(carried).unwrap_or_default();
    let mut lead = None;
    for id in ids {
        let ticket = tickets::find(tx, id).await?;
        if let Some(ticket) = ticket
            && news::is_news(tx, &ticket, now).await?
        {
            lead = Some(ticket.from_agent_id);
        }
    }
    let at = (order.pane_client_id, order.pane_key.as_str());
    let (Some(lead), Some(pane)) = (lead, tickets::pane_now(tx, at.0, at.1).await?) else { return Ok(AtLease::Fallen) };
    let seats = tickets::seats_of_agent(tx, lead, horizon(now)).await?;
    if !matches!(&seats[..], [own] if own.pane() == at) {
        return Ok(AtLease::Fallen);
    }
    // The other text is this very one.
    let free = PaneNow { other_text: false, ..pane };
    Ok(if free.obstacle(now).is_none() { AtLease::Stands } else { AtLease::Waits })
}
