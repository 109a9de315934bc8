//! An agent proposes: checked, frozen, handed to the batcher, and waited for if it likes to wait.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::check::{self, Look};
use super::shape;
use crate::app::{App, Made};
use crate::auth::Agent;
use crate::domain::ask::Ask;
use crate::domain::proposal::Requirement;
use crate::domain::risk;
use crate::error::{Code, Error, Problem, Result};
use crate::store;
use crate::store::proposals::Row;
use crate::store::proposals::create::NewProposal;

/// What a create came to, as the agent is told.
#[derive(Debug)]
pub struct Proposed {
    /// The proposal.
    pub row: Row,
    /// It was pending already, asked by the same agent.
    pub joined: bool,
    /// It is new: 201 instead of 200.
    pub new: bool,
}

/// Proposes. With `ask.wait`, waits that long for a decision; the proposal is safe before the wait begins.
pub async fn propose(app: &App, agent: &Agent, ask: Ask, key: Option<String>) -> Result<Proposed> {
    ask.check()?;
    if key.as_ref().is_some_and(|key| key.is_empty() || key.chars().count() > 200 || key.chars().any(char::is_control))
    {
        return Err(Error::invalid("Idempotency-Key", "takes 1 to 200 characters without control characters"));
    }
    let wait = Duration::from_secs(u64::from(ask.wait.unwrap_or(0)));
    let new = Arc::new(freeze(app, agent, ask, key).await?);
    let answer = app.create(new.clone()).ok_or_else(|| {
        Problem::new(Code::Unavailable, "Too many proposals arrive at once. This one was not taken; try again shortly.")
            .with("retry_after", 2)
    })?;
    let made = answer.await.map_err(|_| {
        Problem::new(Code::Unavailable, "The server is stopping. Send the same request again; it will not be doubled.")
            .with("retry_after", 2)
    })??;
    let (row, joined, is_new) = match made {
        Made::New(created) => (shape::fresh_row(&new, &created, agent), false, true),
        Made::Joined(id) => (load(app, id).await?, true, false),
        Made::Replayed(id) => (load(app, id).await?, false, false),
    };
    let row = check::wait_for(app, agent, row, Look { known: None, wait }).await?;
    Ok(Proposed { row, joined, new: is_new })
}

/// Everything about the proposal that will never change again.
async fn freeze(app: &App, agent: &Agent, ask: Ask, key: Option<String>) -> Result<NewProposal> {
    let policy = app.policy().await?;
    let global = &policy.supervision;
    let lane = &agent.lane().name;
    let digest = ask.digest(lane);
    let risk = risk::of_ask(&ask, &global.high_actions);
    let payload = json!({
        "kind": ask.kind.as_str(), "action": ask.action, "title": ask.title, "risk": risk.as_str(),
        "digest": digest.to_string(), "agent": agent.name(),
    });
    Ok(NewProposal {
        id: app.ids.new_id(app.clock.now()),
        agent_id: agent.id(),
        token_id: agent.token_id(),
        digest,
        risk,
        requirement: Requirement::for_risk(risk).with_reason(global.require_reason),
        key: key.map(|key| (key, ask.request_hash(lane))),
        payload,
        actor: agent.actor().to_string(),
        ask,
    })
}

async fn load(app: &App, id: Uuid) -> Result<Row> {
    let mut conn = app.db.acquire().await?;
    store::proposals::find(&mut conn, id).await?.ok_or_else(Error::not_found)
}
