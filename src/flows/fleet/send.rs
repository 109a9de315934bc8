//! A lead sends a message to a session of its project: queued in its pane's order, typed when the pane is ready.

use std::time::Duration;

use serde_json::json;

use super::news::{self, Patience};
use super::settle::settle;
use super::shape::{Answer, Word};
use super::tell::{self, Moved};
use super::{seat, shape};
use crate::app::App;
use crate::auth::Lead;
use crate::domain::event::EventKind;
use crate::domain::rendezvous::{QUEUE_MAX, clean};
use crate::error::{Error, Result};
use crate::store::tickets::{self, NewTicket};
use crate::store::{self};

/// A message to send.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// To which session.
    pub session_id: &'a str,
    /// What it says.
    pub content: &'a str,
    /// How long the call waits for the member; not at all gives a ticket at once.
    pub wait: Duration,
}

/// Sends it, and waits.
pub async fn send(app: &App, lead: Lead<'_>, message: Message<'_>) -> Result<Answer> {
    let content = clean("content", message.content)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    seat::confirm(&mut tx, lead.agent(), now).await?;
    let to = seat::target(app, &mut tx, (lead, message.session_id), now).await?;
    tickets::lock_pane(&mut tx, to.pane_client_id, &to.pane_key).await?;
    if tickets::queued(&mut tx, to.pane_client_id, &to.pane_key).await? >= QUEUE_MAX {
        return Ok(shape::queue_full());
    }
    let id = app.ids.new_id(now);
    let new = NewTicket {
        id,
        place: (to.project_id, to.lane_id),
        from: lead.agent().id(),
        pane: to.pane(),
        session_id: &to.session_id,
        content: &content,
        now,
    };
    tickets::insert(&mut tx, &new).await?;
    let ticket = tickets::find(&mut tx, id).await?.ok_or_else(Error::not_found)?;
    tell::row(&mut tx, (EventKind::TicketQueued, lead.agent().actor()), (&ticket, json!({})), now).await?;
    let mut moved = Moved { tickets: vec![id], ..Moved::default() };
    settle(app, &mut tx, to.pane(), (now, &mut moved)).await?;
    // Registered before anybody can hear of it, so that nothing happens unheard.
    let waiter = app.hub.waiters.register(id);
    tx.commit().await?;
    moved.tell(app);
    if message.wait.is_zero() {
        return Ok(Answer::of(Word::Accepted, id));
    }
    news::wait(app, lead, id, Patience { waiter, wait: message.wait, knows: false }).await
}
