//! A decision goes to an agent whose client forgets: once it is handed over it is archived, and for a while it is handed
//! over again, because the reply may have been lost on its way.

use chrono::TimeDelta;
use uuid::Uuid;

use super::ack::archive;
use super::check::{self, Look, Seen};
use super::propose::{self, Proposed};
use crate::app::App;
use crate::auth::Agent;
use crate::domain::ask::Ask;
use crate::error::{Code, Error, Result};
use crate::store;
use crate::store::proposals::Row;

/// Proposes. Without an idempotency key, a decision about the same content that never reached the agent is the answer.
pub async fn propose(app: &App, agent: &Agent, ask: Ask, key: Option<String>) -> Result<Proposed> {
    let missed = if key.is_none() { missed(app, agent, &ask).await? } else { None };
    let proposed = match missed {
        Some(row) => Proposed { row, joined: false, new: false },
        None => propose::propose(app, agent, ask, key).await?,
    };
    if !proposed.row.is_pending() {
        hand_over(app, agent, &proposed.row).await?;
    }
    Ok(proposed)
}

/// Looks. Nothing when there is no such proposal in the agent's lane, or when it was handed over longer ago than a lost
/// reply takes to be noticed.
pub async fn check(app: &App, agent: &Agent, id: Uuid) -> Result<Option<Row>> {
    let row = match check::check(app, agent, id, Look::default()).await {
        Ok(Seen::Now(row)) => *row,
        Ok(Seen::Unchanged(_)) => return Err(Error::Internal("a look without a known version saw none".into())),
        Err(error) if error.code() == Code::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if row.is_pending() || row.agent_id != Some(agent.id()) {
        return Ok(Some(row));
    }
    let again = TimeDelta::seconds(i64::from(app.settings().await?.redelivery_secs));
    let still = match row.archived_at {
        Some(at) => app.clock.now() < at + again,
        // Of two at once one archives; to the other it was handed over already.
        None => hand_over(app, agent, &row).await? || again > TimeDelta::zero(),
    };
    Ok(still.then_some(row))
}

/// The newest decision about the same content, if the agent was never told.
async fn missed(app: &App, agent: &Agent, ask: &Ask) -> Result<Option<Row>> {
    let within = app.settings().await?.redelivery_secs;
    if within == 0 {
        return Ok(None);
    }
    let digest = ask.digest(&agent.lane().name);
    let mut conn = app.db.acquire().await?;
    let since = (app.clock.offset_us(), within.into());
    let Some(id) = store::proposals::missed(&mut conn, agent.id(), &digest.0, since).await? else { return Ok(None) };
    Ok(store::proposals::find(&mut conn, id).await?)
}

/// Archives what the agent is about to be told; whether this was the first time. A database that takes no writes keeps
/// nobody from reading: then it is told once more than it would be.
async fn hand_over(app: &App, agent: &Agent, row: &Row) -> Result<bool> {
    let archived = async { archive(app, agent, app.db.begin().await?, row).await };
    match archived.await {
        Err(Error::Unavailable(error)) => {
            tracing::debug!(%error, "that a decision was handed over could not be noted");
            Ok(true)
        }
        archived => archived,
    }
}
