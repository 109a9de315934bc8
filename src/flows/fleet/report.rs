//! What a pane's report means for the message in it: picked up, or its turn is over; then the next one may go.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use super::close::close;
use super::settle::settle;
use super::tell::{self, Moved};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::event::EventKind;
use crate::domain::pane::{PaneReport, PaneStatus};
use crate::domain::rendezvous::{Closing, Seen, Stage, Ticket, framed, read_turn};
use crate::error::Result;
use crate::store::tickets;

/// Takes a report in, in its own transaction, which has stored it and holds the pane.
pub(in crate::flows) async fn on_report(
    app: &App,
    tx: &mut PgConnection,
    (client, key, pane): (&PaneClient, &str, &PaneReport),
    now: DateTime<Utc>,
) -> Result<Moved> {
    let mut moved = Moved::default();
    let live = tickets::live(tx, client.id(), key).await?;
    if live.is_empty() {
        return Ok(moved);
    }
    let here = |ticket: &Ticket| ticket.holds_pane() && Some(&ticket.session_id) == pane.session_id.as_ref();
    if let Some(ticket) = live.into_iter().find(here) {
        account(app, tx, (ticket, client, pane), (now, &mut moved)).await?;
    }
    settle(app, tx, (client.id(), key), (now, &mut moved)).await?;
    Ok(moved)
}

/// Keeps account of the turn that the report is about.
async fn account(
    app: &App,
    tx: &mut PgConnection,
    (ticket, client, pane): (Ticket, &PaneClient, &PaneReport),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<()> {
    let resting = pane.status == PaneStatus::Idle || (pane.status == PaneStatus::Blocked && pane.limit);
    let (next, seen) = ticket.clone().seen((pane.status, resting), now);
    if next == ticket {
        return Ok(());
    }
    if seen == Seen::Ended && next.stage() == Stage::Delivered {
        let message = framed(next.id, &next.from_agent, &next.content);
        let tail = pane.turn_tail.as_ref().filter(|_| pane.status == PaneStatus::Idle);
        let tail = tail.map(|tail| (tail.text.as_str(), tail.clipped));
        let closing = Closing::of_turn(read_turn(&message, tail, pane.limit));
        return close(app, tx, (next, closing, client.actor()), (now, moved)).await;
    }
    tickets::save(tx, &next).await?;
    if seen == Seen::PickedUp {
        tell::row(tx, (EventKind::TicketPickedUp, client.actor()), (&next, json!({})), now).await?;
        moved.tickets.push(next.id);
    }
    Ok(())
}
