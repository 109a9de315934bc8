//! A lead looks at its ticket, or waits for news of it: asleep in memory, which costs the database nothing.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use tokio::time::Instant;
use uuid::Uuid;

use super::seat;
use super::shape::{self, Answer};
use crate::app::App;
use crate::auth::Lead;
use crate::domain::rendezvous::{Gate, Head, Stage, Ticket, Wait, gate};
use crate::error::{Error, Result};
use crate::hub::waiters::Waiter;
use crate::store;
use crate::store::tickets::{self, Ask};

/// How long somebody waits.
pub(super) struct Patience<'a> {
    /// Registered before the first look.
    pub waiter: Waiter<'a>,
    /// How long.
    pub wait: Duration,
    /// The caller has named the ticket, or a question of it. Who has not learns of it with the answer, which can get lost.
    pub knows: bool,
}

/// Looks once. Repeatable: the same answer until there is other news.
pub async fn poll(app: &App, lead: Lead<'_>, ticket: Uuid) -> Result<Answer> {
    let waiter = app.hub.waiters.register(ticket);
    wait(app, lead, ticket, Patience { waiter, wait: Duration::ZERO, knows: true }).await
}

/// Waits for an outcome or a question. Its end is told by the flow here, and by the journal's tail from other servers.
pub(super) async fn wait(app: &App, lead: Lead<'_>, id: Uuid, mut patience: Patience<'_>) -> Result<Answer> {
    let until = Instant::now() + patience.wait;
    loop {
        let mut conn = app.db.acquire().await?;
        let now = store::now(&mut conn, app.clock.offset_us()).await?;
        seat::confirm(&mut conn, lead.agent(), now).await?;
        let ticket = own(&mut conn, lead, id).await?;
        if let Some(news) = read(&mut conn, (&ticket, patience.knows), now).await? {
            return Ok(news);
        }
        if Instant::now() >= until || app.stopping.is_cancelled() {
            return waiting(&mut conn, &ticket, now).await;
        }
        drop(conn);
        tokio::select! {
            () = patience.waiter.stirred() => {}
            () = tokio::time::sleep_until(until) => {}
            () = app.stopping.cancelled() => {}
        }
    }
}

/// A ticket, for the lead that sent it and nobody else.
pub(super) async fn own(conn: &mut PgConnection, lead: Lead<'_>, id: Uuid) -> Result<Ticket> {
    let found = tickets::find(conn, id).await?;
    found.filter(|ticket| ticket.from_agent_id == lead.agent().id()).ok_or_else(Error::not_found)
}

/// The news there is, noted as known: nobody is nudged for it any more. An answer without which the caller would not even
/// know its ticket counts as a nudge instead: if it was lost there are others, unless the outcome is put away.
async fn read(conn: &mut PgConnection, (ticket, knows): (&Ticket, bool), now: DateTime<Utc>) -> Result<Option<Answer>> {
    let open = open_ask(conn, ticket, now).await?;
    let Some(since) = news_since(ticket, open.as_ref()) else { return Ok(None) };
    if ticket.polled_at.is_none_or(|polled| polled < since) {
        if knows {
            // Not later than what was read here: an answer may come at this very moment.
            tickets::note_news(conn, ticket.id, since).await?;
        } else {
            tickets::note_nudge(conn, &[ticket.id], now).await?;
        }
    }
    Ok(Some(match &open {
        Some(ask) => shape::question(ticket.id, ask),
        None => shape::closed(ticket),
    }))
}

/// The member's question that can be answered now.
async fn open_ask(conn: &mut PgConnection, ticket: &Ticket, now: DateTime<Utc>) -> Result<Option<Ask>> {
    Ok(match ticket.stage() {
        Stage::Queued | Stage::Closed => None,
        Stage::Ordered | Stage::Delivered => tickets::newest_ask(conn, ticket.id).await?.filter(|ask| ask.is_open(now)),
    })
}

/// Since when there is news.
fn news_since(ticket: &Ticket, open: Option<&Ask>) -> Option<DateTime<Utc>> {
    ticket.finished_at.or_else(|| open.map(|ask| ask.asked_at))
}

/// Whether there is news that the lead has not had.
pub(super) async fn is_news(conn: &mut PgConnection, ticket: &Ticket, now: DateTime<Utc>) -> Result<bool> {
    let open = open_ask(conn, ticket, now).await?;
    let since = news_since(ticket, open.as_ref()).filter(|_| ticket.acked_at.is_none());
    Ok(since.is_some_and(|since| ticket.polled_at.is_none_or(|polled| polled < since)))
}

/// There is no news: where the message is.
async fn waiting(conn: &mut PgConnection, ticket: &Ticket, now: DateTime<Utc>) -> Result<Answer> {
    let why = match ticket.stage() {
        Stage::Delivered | Stage::Closed => return Ok(shape::pending(ticket)),
        Stage::Ordered => Wait::OnItsWay,
        Stage::Queued => queued(conn, ticket, now).await?,
    };
    Ok(shape::queued(ticket, why))
}

async fn queued(conn: &mut PgConnection, ticket: &Ticket, now: DateTime<Utc>) -> Result<Wait> {
    let live = tickets::live(conn, ticket.pane_client_id, &ticket.pane_key).await?;
    if live.first().is_some_and(|first| first.id != ticket.id) {
        return Ok(Wait::BehindAnother);
    }
    let Some(pane) = tickets::pane_now(conn, ticket.pane_client_id, &ticket.pane_key).await? else {
        return Ok(Wait::Unknown);
    };
    let head = Head { session_id: &ticket.session_id, created_at: ticket.created_at, not_before: ticket.not_before };
    Ok(match gate(&pane, head, now) {
        Gate::Wait(why) => why,
        // The next tick takes it.
        Gate::Deliver | Gate::Fail(_) => Wait::OnItsWay,
    })
}
