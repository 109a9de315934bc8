//! `check-proposal`: a look at the decision, at once and as often as the agent likes.

use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::decided;
use super::results::Answer;
use crate::app::AppState;
use crate::auth::Agent;
use crate::error::Result;
use crate::flows::proposals::{deliver, shape};

/// Which one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The proposal_id that propose gave you.
    proposal_id: String,
}

/// Looks it up.
pub(super) async fn check(app: &AppState, agent: &Agent, args: Check) -> Result<Answer> {
    let id = args.proposal_id.trim();
    let found = match id.parse() {
        Ok(id) => deliver::check(app, agent, id).await?,
        // What is no id at all names nothing either.
        Err(_) => None,
    };
    Ok(match found {
        Some(row) => decided::told(&shape::proposal(app, &row, false), row.close_reason.as_deref()),
        None => unknown(id),
    })
}

fn unknown(id: &str) -> Answer {
    let text = "Unknown: you have no proposal with this proposal_id, or you were given its decision before. Do not act \
        on it. If you still need a decision, propose it.";
    Answer::new(text, json!({ "status": "unknown", "proposal_id": id, "message": text })).as_error()
}
