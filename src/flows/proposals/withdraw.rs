//! The agent moved on: its proposal closes on every phone.

use uuid::Uuid;

use super::{cross, shape};
use crate::app::App;
use crate::auth::Agent;
use crate::domain::proposal::Status;
use crate::error::{Code, Error, Problem, Result};
use crate::store;
use crate::store::proposals::close::{self, Close};
use crate::store::proposals::{self, Row};
use crate::store::tokens;

/// Withdraws the agent's own pending proposal.
pub async fn withdraw(app: &App, agent: &Agent, id: Uuid, reason: &str) -> Result<Row> {
    if reason.contains('\0') || reason.chars().count() > 1_000 {
        return Err(Error::invalid("reason", "takes at most 1000 characters, without U+0000"));
    }
    let mut tx = app.db.begin().await?;
    let locked = match close::lock(&mut tx, id).await? {
        Some(locked) if locked.agent_id == Some(agent.id()) => locked,
        other => {
            tx.rollback().await?;
            return Err(cross::refuse(app, agent, id, other.is_some()).await);
        }
    };
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if !tokens::is_live(&mut tx, agent.token_id(), now).await? {
        return Err(Error::unauthenticated());
    }
    let due = locked.expires_at.is_some_and(|end| now >= end);
    if locked.status == Status::Pending.as_str() {
        let (status, actor) = if due {
            (Status::Expired, crate::domain::event::Actor::System)
        } else {
            (Status::Withdrawn, agent.actor())
        };
        let reason = (!due && !reason.trim().is_empty()).then_some(reason);
        let closing = Close { proposal_id: id, status, reason, now, actor: actor.to_string() };
        let version = close::close(&mut tx, closing).await?;
        tx.commit().await?;
        app.hub.tell(id, version);
        app.metrics.closed(status.as_str());
    } else {
        tx.rollback().await?;
    }
    let mut conn = app.db.acquire().await?;
    let row = proposals::find(&mut conn, id).await?.ok_or_else(Error::not_found)?;
    if locked.status == Status::Pending.as_str() && !due {
        return Ok(row);
    }
    let detail = format!("The proposal is {} already; nothing was withdrawn.", row.status);
    let told = serde_json::to_value(shape::proposal(app, &row, false));
    let told = told.map_err(|error| Error::Internal(error.to_string()))?;
    Err(Problem::new(Code::AlreadyFinal, detail).with("proposal", told).into())
}
