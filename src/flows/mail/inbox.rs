//! An agent reads the mail of its lane. Serving a message marks it read, and delivers it if that was still to be done.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::told;
use crate::app::App;
use crate::auth::Agent;
use crate::domain::attention::Cause;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::attention;
use crate::store::messages::{self, MessageRow};
use crate::store::{self, events, tokens};

/// What was read is served again so long, to an agent that the first answer did not reach.
const AGAIN: TimeDelta = TimeDelta::minutes(10);
/// How many one answer has, unless it is said.
const LIMIT: i64 = 20;
/// How many it has at most: each may be 8 KiB.
pub const LIMIT_MAX: i64 = 50;

/// A message as it is served.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Served {
    /// Its id: `reply_to` of an answer, `after` of a later call.
    pub id: Uuid,
    /// Who sent it: `agent:NAME`, `person:NAME`, `admin:NAME`.
    pub from: String,
    /// The lane of an agent that sent it: where an answer goes.
    pub from_lane: Option<String>,
    /// The message that it answers.
    pub reply_to: Option<Uuid>,
    /// What it says.
    pub body: String,
    /// When it was sent.
    pub sent_at: DateTime<Utc>,
    /// It was not served before.
    pub new: bool,
    /// It was typed into a terminal of the lane in full.
    pub typed: bool,
}

/// An answer.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Inbox {
    /// Oldest first.
    pub items: Vec<Served>,
    /// There is more behind this message.
    pub next: Option<Uuid>,
}

/// Serves the mail of the agent's lane: what came after a message if one is named; else what is unread, and what was read
/// within the last ten minutes. The same call again has the same answer.
pub async fn inbox(app: &App, agent: &Agent, (after, limit): (Option<Uuid>, Option<i64>)) -> Result<Inbox> {
    let limit = limit.unwrap_or(LIMIT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Error::invalid("limit", format!("limit takes 1 to {LIMIT_MAX}.")));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if !tokens::is_live(&mut tx, agent.token_id(), now).await? {
        return Err(Error::unauthenticated());
    }
    let lane = agent.lane().id;
    // Held, so that nothing is taken for a terminal while it is read here. Without the row there never was any mail.
    if messages::lock(&mut tx, lane).await?.is_none() {
        return Ok(Inbox { items: Vec::new(), next: None });
    }
    let mut found = messages::inbox(&mut tx, lane, (after, now - AGAIN), limit + 1).await?;
    let more = i64::try_from(found.len()).is_ok_and(|count| count > limit);
    if more {
        found.pop();
    }
    let next = found.last().filter(|_| more).map(|last| last.id);
    let unread: Vec<Uuid> = found.iter().filter(|row| row.read_at.is_none()).map(|row| row.id).collect();
    if !unread.is_empty() {
        mark(&mut tx, agent, &unread, now).await?;
        tx.commit().await?;
        app.hub.poke();
    }
    Ok(Inbox { items: found.into_iter().filter_map(served).collect(), next })
}

async fn mark(tx: &mut PgConnection, agent: &Agent, unread: &[Uuid], now: DateTime<Utc>) -> Result<()> {
    let place = (agent.lane().project, agent.lane().id);
    let read = messages::read(tx, unread, now).await?;
    let delivered: Vec<Uuid> = read.iter().filter(|one| one.delivered).map(|one| one.id).collect();
    if !delivered.is_empty() {
        let payload = json!({ "message_ids": delivered, "by": "inbox" });
        events::append(tx, told((EventKind::MailDelivered, agent.actor()), place, payload, now)).await?;
    }
    let payload = json!({ "message_ids": read.iter().map(|one| one.id).collect::<Vec<_>>() });
    events::append(tx, told((EventKind::MailRead, agent.actor()), place, payload, now)).await?;
    for group in messages::settled_groups(tx, place.1, false).await? {
        let key = group.to_string();
        attention::clear_episode(tx, (place, Cause::MailUndelivered, &key), &agent.actor(), now).await?;
    }
    Ok(())
}

fn served(row: MessageRow) -> Option<Served> {
    Some(Served {
        id: row.id,
        from: row.sender,
        from_lane: row.from_lane,
        reply_to: row.reply_to,
        body: row.body?,
        sent_at: row.created_at,
        new: row.read_at.is_none(),
        typed: row.delivered_by.as_deref() == Some("pane"),
    })
}
