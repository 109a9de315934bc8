//! `supervision_status` and `supervision_audit`: what is answered automatically, in the agent's own lane and no other.

use serde::Deserialize;
use utoipa::ToSchema;

use super::results::Answer;
use super::schema::Nothing;
use crate::app::AppState;
use crate::auth::Agent;
use crate::auth::reader::Reader;
use crate::error::{Error, Result};
use crate::flows::supervision;

/// How much.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Audit {
    /// At most so many entries, 1 to 200; 50 when absent.
    #[serde(default)]
    limit: Option<i64>,
}

/// The switches, and what was last done.
pub(super) async fn status(app: &AppState, agent: &Agent, _: Nothing) -> Result<Answer> {
    Answer::of(&supervision::status(app, &reader(agent)).await?)
}

/// What was done, newest first.
pub(super) async fn audit(app: &AppState, agent: &Agent, args: Audit) -> Result<Answer> {
    let limit = args.limit.unwrap_or(50);
    if !(1..=200).contains(&limit) {
        return Err(Error::invalid("limit", "takes 1 to 200"));
    }
    Answer::of(&supervision::audit(app, &reader(agent), None, (None, limit)).await?)
}

fn reader(agent: &Agent) -> Reader {
    Reader::Agent(Box::new(agent.clone()))
}
