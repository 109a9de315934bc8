//! A message's order: looked at again when its client takes it, and what its outcome means for the ticket.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use super::close::{clear_person, closed_row};
use super::nudge;
use super::settle::{is_leadless, settle};
use super::tell::{self, Moved};
use crate::app::App;
use crate::domain::event::{Actor, EventKind};
use crate::domain::order::Execution;
use crate::domain::rendezvous::{PaneNow, Stage};
use crate::error::Result;
use crate::flows::orders::{AtLease, Done};
use crate::store::orders::OrderRow;
use crate::store::tickets;

/// Looks at a text's order again when its client wants to take it.
pub(in crate::flows) async fn at_lease(tx: &mut PgConnection, order: &OrderRow, now: DateTime<Utc>) -> Result<AtLease> {
    match (order.kind.as_str(), order.trigger.as_str()) {
        ("message", _) => message_at_lease(tx, order, now).await,
        ("nudge", "message") => nudge::at_lease(tx, order, now).await,
        _ => Ok(AtLease::Stands),
    }
}

async fn message_at_lease(tx: &mut PgConnection, order: &OrderRow, now: DateTime<Utc>) -> Result<AtLease> {
    let ticket = tickets::of_order(tx, order.id).await?.filter(|ticket| ticket.stage() == Stage::Ordered);
    let pane = tickets::pane_now(tx, order.pane_client_id, &order.pane_key).await?;
    let (Some(ticket), Some(pane)) = (ticket, pane) else { return Ok(AtLease::Fallen) };
    if pane.has_lost(&ticket.session_id, now) || is_leadless(tx, &ticket).await? {
        return Ok(AtLease::Fallen);
    }
    // The open turn and the other text are this very one.
    let free = PaneNow { turn_open: false, other_text: false, ..pane };
    Ok(if free.obstacle(now).is_none() { AtLease::Stands } else { AtLease::Waits })
}

/// A message was typed after all, as its client says once the lease is over: nobody has to look whether it arrived. What its
/// lead was told stands until the member replies.
pub(in crate::flows) async fn late(
    tx: &mut PgConnection,
    order: &OrderRow,
    (actor, now): (&Actor<'_>, DateTime<Utc>),
) -> Result<()> {
    if order.kind == "message"
        && let Some(ticket) = tickets::of_order(tx, order.id).await?
    {
        clear_person(tx, &ticket, actor, now).await?;
    }
    Ok(())
}

/// What became of an order, in the transaction that writes it.
pub(in crate::flows) async fn after(app: &App, tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    let (actor, now) = (done.actor.clone(), done.now);
    // The caller pokes the tail, which wakes whoever waits.
    let mut moved = Moved::default();
    if order.kind != "message" || !tickets::lock_pane(tx, order.pane_client_id, &order.pane_key).await? {
        return Ok(());
    }
    let Some(ticket) = tickets::of_order(tx, order.id).await? else { return Ok(()) };
    let was_open = ticket.stage() != Stage::Closed;
    match done.outcome {
        Execution::Sent => {
            let taken_at = tickets::order_taken_at(tx, order.id).await?;
            let Some(sent) = ticket.sent(taken_at, now) else { return Ok(()) };
            tickets::save(tx, &sent).await?;
            tell::row(tx, (EventKind::TicketSent, actor.clone()), (&sent, json!({})), now).await?;
            if sent.picked_up_at.is_some() && was_open {
                tell::row(tx, (EventKind::TicketPickedUp, actor), (&sent, json!({})), now).await?;
            }
        }
        Execution::Skipped => {
            let Some(back) = ticket.skipped(now) else { return Ok(()) };
            tickets::save(tx, &back).await?;
            if !was_open && back.stage() == Stage::Queued {
                tell::row(tx, (EventKind::TicketQueued, actor), (&back, json!({ "again": true })), now).await?;
            }
            settle(app, tx, (order.pane_client_id, &order.pane_key), (now, &mut moved)).await?;
        }
        Execution::Failed => {
            let Some(lost) = ticket.lost(app.ids.new_id(now), now) else { return Ok(()) };
            tickets::save(tx, &lost).await?;
            if was_open {
                closed_row(app, tx, (&lost, actor), (now, &mut moved)).await?;
            }
        }
    }
    Ok(())
}
