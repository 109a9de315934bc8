//! A lead puts an outcome away: it has it, and nobody is nudged for it any more.

use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::close::clear_person;
use super::seat;
use super::shape::{self, Answer};
use super::tell::{self, Moved};
use crate::app::App;
use crate::auth::Lead;
use crate::domain::event::EventKind;
use crate::domain::rendezvous::Ticket;
use crate::error::{Code, Problem, Result};
use crate::store;
use crate::store::tickets;

/// Acknowledges the outcome that a session gave. Again is no fault.
pub async fn ack(app: &App, lead: Lead<'_>, (session, msg_id): (&str, Uuid)) -> Result<Answer> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    seat::confirm(&mut tx, lead.agent(), now).await?;
    let seen = outcome(&mut tx, lead, (session, msg_id)).await?;
    // An answer may be about to take the place of this outcome: it is not put away with what it replaces.
    tickets::lock_pane(&mut tx, seen.pane_client_id, &seen.pane_key).await?;
    let ticket = outcome(&mut tx, lead, (session, msg_id)).await?;
    let mut moved = Moved::default();
    if tickets::acknowledge(&mut tx, ticket.id, now).await? {
        let said = json!({ "msg_id": msg_id });
        tell::row(&mut tx, (EventKind::TicketAcked, lead.agent().actor()), (&ticket, said), now).await?;
        clear_person(&mut tx, &ticket, &lead.agent().actor(), now).await?;
        moved.tickets.push(ticket.id);
    }
    tx.commit().await?;
    moved.tell(app);
    Ok(shape::put_away(ticket.id))
}

/// The lead's ticket that has this outcome now.
async fn outcome(tx: &mut PgConnection, lead: Lead<'_>, (session, msg_id): (&str, Uuid)) -> Result<Ticket> {
    let found = tickets::of_message(tx, lead.agent().id(), msg_id).await?;
    found.filter(|ticket| ticket.session_id == session).ok_or_else(|| {
        let detail = "No ticket of yours has this msgId from this target. fleet_poll gives both as they are now.";
        Problem::new(Code::NotFound, detail).field("msgId").into()
    })
}
