//! The agent is done with a decision: it is archived, which is what lets retention have it one day.

use serde_json::json;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::cross;
use crate::app::App;
use crate::auth::Agent;
use crate::domain::event::EventKind;
use crate::error::{Code, Error, Problem, Result};
use crate::store;
use crate::store::events::{self, NewEvent};
use crate::store::proposals::receipts::Step;
use crate::store::proposals::{Row, close};
use crate::store::tokens;

/// Archives the agent's own closed proposal; doing it again changes nothing.
pub async fn ack(app: &App, agent: &Agent, id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let row = match store::proposals::find(&mut tx, id).await? {
        Some(row) if row.agent_id == Some(agent.id()) => row,
        other => {
            tx.rollback().await?;
            return Err(cross::refuse(app, agent, id, other.is_some()).await);
        }
    };
    if row.is_pending() {
        let detail =
            "Nobody has decided yet, so there is nothing to acknowledge. Withdraw it if you no longer need it.";
        return Err(Problem::new(Code::NotFinal, detail).into());
    }
    archive(app, agent, tx, &row).await.map(drop)
}

/// Archives a closed proposal of the agent's own; whether this call did.
pub(super) async fn archive(app: &App, agent: &Agent, mut tx: PgTransaction<'_>, row: &Row) -> Result<bool> {
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if !tokens::is_live(&mut tx, agent.token_id(), now).await? {
        return Err(Error::unauthenticated());
    }
    let archived = close::archive(&mut tx, row.id, now).await?;
    if archived {
        let event = NewEvent {
            kind: EventKind::ProposalArchived,
            actor: agent.actor(),
            place: agent.place(),
            proposal: Some((row.id, row.version)),
            payload: json!({}),
            at: now,
        };
        events::append(&mut tx, event).await?;
        tx.commit().await?;
        app.hub.poke();
    }
    if row.collected_at.is_none() {
        app.receipt(row.id, Step::Collected, agent.actor().to_string());
    }
    Ok(archived)
}
