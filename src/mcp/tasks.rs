//! The tasks extension: a client that declares it waits for the decision by itself. A task is its proposal.

use chrono::SecondsFormat;
use rmcp::model::{CallToolResult, DetailedTask, GetTaskResult, JsonObject, Task, TaskPayload, TaskStatus};
use serde_json::Value;
use uuid::Uuid;

use super::decided;
use crate::app::AppState;
use crate::auth::Agent;
use crate::domain::proposal::Status;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::proposals::shape::{self, Proposal};
use crate::flows::proposals::{deliver, withdraw};

/// A proposal that is still to be decided, as a task. It lasts as long as the proposal does.
pub(super) fn open(proposal: &Proposal) -> Task {
    let at = proposal.created_at.to_rfc3339_opts(SecondsFormat::Millis, true);
    let poll = u64::from(proposal.retry_after.unwrap_or_default()) * 1_000;
    Task::new(proposal.id.to_string(), TaskStatus::Working, at.clone(), at)
        .with_status_message("A person has to decide.")
        .with_poll_interval_ms(poll)
}

/// How a task stands. What its call would have answered is the result, a rejection too: a refusal is no failure.
pub(super) async fn get(app: &AppState, agent: &Agent, id: &str) -> Result<GetTaskResult> {
    let row = deliver::check(app, agent, named(id)?).await?.ok_or_else(no_task)?;
    let proposal = shape::proposal(app, &row, false);
    let payload = match row.status.as_str() {
        status if status == Status::Pending.as_str() => TaskPayload::Working,
        status if status == Status::Withdrawn.as_str() => TaskPayload::Cancelled,
        _ => {
            let result = CallToolResult::from(decided::told(&proposal, row.close_reason.as_deref()));
            TaskPayload::Completed { result: object(serde_json::to_value(result))? }
        }
    };
    let mut task = open(&proposal);
    if let Some(closed) = row.closed_at {
        task.last_updated_at = closed.to_rfc3339_opts(SecondsFormat::Millis, true);
        task.status_message = None;
        task.poll_interval_ms = None;
    }
    Ok(GetTaskResult::new(DetailedTask::new(task, payload)))
}

/// The agent moves on: the proposal is withdrawn. One that is closed already stays as it is, which is no error here.
pub(super) async fn cancel(app: &AppState, agent: &Agent, id: &str) -> Result<()> {
    match withdraw::withdraw(app, agent, named(id)?, "").await {
        Ok(_) => Ok(()),
        Err(error) if error.code() == Code::AlreadyFinal => Ok(()),
        Err(error) if error.code() == Code::NotFound => Err(no_task()),
        Err(error) => Err(error),
    }
}

fn named(id: &str) -> Result<Uuid> {
    id.parse().map_err(|_| no_task())
}

fn no_task() -> Error {
    Problem::new(Code::NotFound, "There is no such task.").into()
}

fn object(value: serde_json::Result<Value>) -> Result<JsonObject> {
    match value {
        Ok(Value::Object(members)) => Ok(members),
        other => Err(Error::Internal(format!("a result is no object: {other:?}"))),
    }
}
