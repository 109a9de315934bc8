//! The journal's rows of tickets, without a word of what passes between agents, and who is woken after the commit.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::rendezvous::Ticket;
use crate::error::Result;
use crate::store::events::{self, NewEvent};

/// What a transaction has moved.
#[derive(Debug, Default)]
#[must_use = "whoever waits is told after the commit"]
pub(in crate::flows) struct Moved {
    /// Tickets with news.
    pub(super) tickets: Vec<Uuid>,
    /// Questions that are answered or closed.
    pub(super) asks: Vec<Uuid>,
    /// Pane clients with an order.
    pub(super) clients: Vec<Uuid>,
}

impl Moved {
    /// Whether there is anything to tell.
    pub(in crate::flows) fn is_empty(&self) -> bool {
        self.tickets.is_empty() && self.asks.is_empty() && self.clients.is_empty()
    }

    /// Wakes whoever waits, here and on other servers.
    pub(in crate::flows) fn tell(self, app: &App) {
        if self.is_empty() {
            return;
        }
        for subject in self.tickets.into_iter().chain(self.asks).chain(self.clients) {
            app.hub.waiters.stir(subject);
        }
        app.hub.poke();
    }
}

/// Writes a ticket's row; `more` is added to what every one of them says.
pub(super) async fn row(
    tx: &mut PgConnection,
    (kind, actor): (EventKind, Actor<'_>),
    (ticket, more): (&Ticket, Value),
    now: DateTime<Utc>,
) -> Result<()> {
    let mut payload = json!({
        "ticket": ticket.id, "from": ticket.from_agent, "pane": ticket.pane_key, "session_id": ticket.session_id,
    });
    if let (Some(said), Value::Object(more)) = (payload.as_object_mut(), more) {
        said.extend(more);
    }
    let place = Place::lane(ticket.project_id, ticket.lane_id);
    Ok(events::append(tx, NewEvent { kind, actor, place, proposal: None, payload, at: now }).await?)
}
