//! An agent reaches for a proposal that is not its own.

use serde_json::json;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Agent;
use crate::error::Error;
use crate::flows::access::reached;

/// The answer to an agent that asked for a proposal of others, or for none.
pub async fn refuse(app: &App, agent: &Agent, id: Uuid, exists: bool) -> Error {
    let caller = (agent.id(), agent.actor(), agent.place());
    if exists && let Err(error) = reached(app, caller, json!({ "proposal_id": id })).await {
        return error;
    }
    Error::not_found()
}
