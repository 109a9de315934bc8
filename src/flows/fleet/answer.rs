//! A lead answers a member's question, by the turn that it holds open and within its window.

use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::news::{self, Patience};
use super::seat;
use super::shape::{self, Answer, Word};
use super::tell::{self, Moved};
use crate::app::App;
use crate::auth::Lead;
use crate::domain::event::EventKind;
use crate::domain::rendezvous::clean;
use crate::error::{Error, Result};
use crate::store;
use crate::store::tickets;

/// Answers, and waits for what the member makes of it. The same answer again is no fault; any other comes too late.
pub async fn answer(app: &App, lead: Lead<'_>, turn: Uuid, (content, wait): (&str, Duration)) -> Result<Answer> {
    let content = clean("content", content)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    seat::confirm(&mut tx, lead.agent(), now).await?;
    let ask = tickets::ask(&mut tx, turn).await?.ok_or_else(Error::not_found)?;
    let ticket = news::own(&mut tx, lead, ask.ticket_id).await?;
    let mut moved = Moved::default();
    if tickets::answer(&mut tx, turn, &content, now).await? {
        let said = json!({ "turn": turn });
        tell::row(&mut tx, (EventKind::TicketAnswered, lead.agent().actor()), (&ticket, said), now).await?;
        moved = Moved { tickets: vec![ticket.id], asks: vec![turn], ..moved };
    } else {
        let stands = tickets::ask(&mut tx, turn).await?.and_then(|ask| ask.answer);
        if stands.as_deref() != Some(content.as_str()) {
            return Ok(shape::ask_closed(ticket.id));
        }
    }
    let waiter = app.hub.waiters.register(ticket.id);
    tx.commit().await?;
    moved.tell(app);
    if wait.is_zero() {
        return Ok(Answer::of(Word::Accepted, ticket.id));
    }
    news::wait(app, lead, ticket.id, Patience { waiter, wait, knows: true }).await
}
