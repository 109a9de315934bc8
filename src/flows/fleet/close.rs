//! The one way in which a ticket is closed: its outcome, its row, its questions, and a person where one must look.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use super::tell::{self, Moved};
use crate::app::App;
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind};
use crate::domain::rendezvous::{Closing, Failure, Ticket};
use crate::error::Result;
use crate::flows::attention::{self, Episode};
use crate::store::tickets;

/// What people are told of a message that may or may not have arrived.
const UNSURE: &str = "A message to an agent was begun, and it is not known to have arrived. It is not typed again; look at the terminal.";

/// Closes a ticket, in a transaction that holds its pane.
pub(super) async fn close(
    app: &App,
    tx: &mut PgConnection,
    (ticket, closing, actor): (Ticket, Closing, Actor<'_>),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<()> {
    let closed = ticket.closed(closing, app.ids.new_id(now), now);
    tickets::save(tx, &closed).await?;
    closed_row(app, tx, (&closed, actor), (now, moved)).await
}

/// What follows from a ticket that was just closed and saved.
pub(super) async fn closed_row(
    app: &App,
    tx: &mut PgConnection,
    (closed, actor): (&Ticket, Actor<'_>),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<()> {
    let open = tickets::newest_ask(tx, closed.id).await?.map(|open| open.id);
    if let Some(open) = open {
        tickets::close_asks_of(tx, closed.id, now).await?;
        moved.asks.push(open);
    }
    let mut said = json!({
        "outcome": closed.outcome, "reason": closed.reason, "partial": closed.partial, "msg_id": closed.msg_id,
    });
    if let Some(open) = open {
        // Named, so that a member is woken that asks by another server.
        said["turn"] = json!(open);
    }
    tell::row(tx, (EventKind::TicketDone, actor), (closed, said), now).await?;
    moved.tickets.push(closed.id);
    if closed.failure() == Some(Failure::SendFailed) {
        let episode = Episode {
            place: (closed.project_id, closed.lane_id),
            cause: Cause::MessageFailed,
            key: &closed.id.to_string(),
            proposal: None,
            detail: UNSURE,
        };
        attention::raise(app, tx, &episode, now).await?;
    }
    Ok(())
}

/// Nobody has to look any more: the member answered, or the lead put the ticket away.
pub(super) async fn clear_person(
    tx: &mut PgConnection,
    ticket: &Ticket,
    actor: &Actor<'_>,
    now: DateTime<Utc>,
) -> Result<()> {
    if ticket.failure() != Some(Failure::SendFailed) {
        return Ok(());
    }
    let place = (ticket.project_id, ticket.lane_id);
    attention::clear_episode(tx, (place, Cause::MessageFailed, &ticket.id.to_string()), actor, now).await
}
