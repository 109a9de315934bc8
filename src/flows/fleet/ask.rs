//! A member asks its lead in the middle of a turn, and waits: for the answer, or for the end of the window.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::seat;
use super::shape::{self, Answer};
use super::tell::{self, Moved};
use crate::app::App;
use crate::auth::Agent;
use crate::domain::event::EventKind;
use crate::domain::rendezvous::{ASK_WINDOW, Stage, clean};
use crate::error::{Error, Result};
use crate::hub::waiters::Waiter;
use crate::store;
use crate::store::tickets;

/// Asks, and waits for the answer. The same question again while its window is open is the same one, and gets the same
/// answer: a call that was cut off is simply made again.
pub async fn ask(app: &App, agent: &Agent, question: &str) -> Result<Answer> {
    let question = clean("question", question)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    seat::confirm(&mut tx, agent, now).await?;
    let mut moved = Moved::default();
    let id = open(app, &mut tx, (agent, &question), (now, &mut moved)).await?;
    let waiter = app.hub.waiters.register(id);
    tx.commit().await?;
    moved.tell(app);
    wait(app, id, waiter).await
}

/// The question in the table: the one that is open, or a new one.
async fn open(
    app: &App,
    tx: &mut PgConnection,
    (agent, question): (&Agent, &str),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<Uuid> {
    let own = seat::must_own(tx, agent, now).await?;
    tickets::lock_pane(tx, own.pane_client_id, &own.pane_key).await?;
    let ticket = tickets::newest_of_session(tx, own.pane(), &own.session_id).await?;
    let ticket =
        ticket.filter(|ticket| matches!(ticket.stage(), Stage::Ordered | Stage::Delivered)).ok_or_else(|| {
            seat::no_ticket(
                "No message of a lead is open in your session, so there is nobody to ask. Decide yourself and go on.",
            )
        })?;
    if let Some(before) = tickets::newest_ask(tx, ticket.id).await? {
        let same = before.question == question;
        if same && (before.is_open(now) || before.answer.is_some()) {
            return Ok(before.id);
        }
        if before.is_open(now) {
            let detail = "Another question of yours waits for its answer; a turn has one at a time.";
            return Err(Error::invalid("question", detail));
        }
        tickets::close_ask(tx, before.id, now).await?;
    }
    let id = app.ids.new_id(now);
    tickets::open_ask(tx, (id, ticket.id, question), (now, now + ASK_WINDOW)).await?;
    let called = ticket.called(now);
    tickets::save(tx, &called).await?;
    tell::row(tx, (EventKind::TicketQuestion, agent.actor()), (&called, json!({ "turn": id })), now).await?;
    moved.tickets.push(called.id);
    Ok(id)
}

async fn wait(app: &App, id: Uuid, mut waiter: Waiter<'_>) -> Result<Answer> {
    loop {
        let mut conn = app.db.acquire().await?;
        let now = store::now(&mut conn, app.clock.offset_us()).await?;
        let mut ask = tickets::ask(&mut conn, id).await?.ok_or_else(Error::not_found)?;
        if ask.answer.is_none() && now >= ask.closes_at {
            // After this no answer can come: who answered a moment before is read now.
            tickets::close_ask(&mut conn, id, now).await?;
            ask = tickets::ask(&mut conn, id).await?.ok_or_else(Error::not_found)?;
        }
        if let Some(answer) = ask.answer {
            return Ok(shape::answered(id, &answer));
        }
        if ask.closed_at.is_some() {
            return Ok(shape::no_answer(id));
        }
        if app.stopping.is_cancelled() {
            return Ok(shape::ask_again(id));
        }
        drop(conn);
        tokio::select! {
            () = waiter.stirred() => {}
            () = tokio::time::sleep(left(ask.closes_at, now)) => {}
            () = app.stopping.cancelled() => {}
        }
    }
}

/// How long a window is still open: a little past its edge, so that the database's clock has passed it too.
fn left(closes_at: DateTime<Utc>, now: DateTime<Utc>) -> Duration {
    (closes_at + TimeDelta::milliseconds(20) - now).to_std().unwrap_or_default()
}
