//! `propose`: a person is asked, and the agent goes on if nobody answers at once.

use serde::Deserialize;
use utoipa::ToSchema;

use super::decided;
use super::results::Answer;
use crate::app::AppState;
use crate::auth::Agent;
use crate::domain::ask::{Ask, Kind, Question};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::proposals::{deliver, shape};

/// What REST takes, with the idempotency key as a field; the words are for models.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Propose {
    /// `change` for something you want to do, `question` for something you need to know; `change` when absent.
    #[serde(default)]
    #[schema(value_type = Sort)]
    kind: Kind,
    /// A short word for what you want to do, e.g. `edit`, `deploy.staging`, `egress.allow`.
    action: String,
    /// One line that says what it is about.
    title: String,
    /// Why you want it.
    #[serde(default)]
    justification: Option<String>,
    /// For a change of text: the whole new text, or a unified diff.
    #[serde(default)]
    body: Option<String>,
    /// For a change of text: the whole text as it is now, so that the person sees the difference.
    #[serde(default)]
    base: Option<String>,
    /// The exact command you want to run, if it is one.
    #[serde(default)]
    command: Option<String>,
    /// For kind `question`: what you ask, 1 to 20.
    #[serde(default)]
    questions: Vec<Question>,
    /// Seconds until it expires undecided; never when absent. Expired is not approved.
    #[serde(default)]
    expires_in: Option<u32>,
    /// Seconds to wait here for the decision, 0 to 45. Leave it out unless you cannot do anything else meanwhile.
    #[serde(default)]
    wait: Option<u32>,
    /// Any text of your choice: the same key with the same content is the same proposal, however often it is sent.
    #[serde(default)]
    idempotency_key: Option<String>,
}

/// The kinds that an agent may propose.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it stands in the schema for the kind, which has one more that agents may not propose")]
enum Sort {
    Change,
    Question,
}

/// Proposes, and waits as long as the machine's admin finds right.
pub(super) async fn propose(app: &AppState, agent: &Agent, args: Propose) -> Result<Answer> {
    let wait = match args.wait {
        Some(wait) => wait,
        None => app.settings().await?.grace_secs,
    };
    let Propose {
        kind, action, title, justification, body, base, command, questions, expires_in, idempotency_key, ..
    } = args;
    let wait = Some(wait);
    let ask = Ask { kind, action, title, justification, body, base, command, questions, expires_in, wait };
    let proposed = deliver::propose(app, agent, ask, idempotency_key).await.map_err(named_as_here)?;
    let shape = shape::proposal(app, &proposed.row, proposed.joined);
    let answer = decided::told(&shape, proposed.row.close_reason.as_deref());
    Ok(if proposed.row.is_pending() { answer.about(shape) } else { answer })
}

/// What REST takes as a header is a field here, and there is no tool that withdraws.
fn named_as_here(error: Error) -> Error {
    let Error::Problem(problem) = error else { return error };
    if problem.field.as_deref() == Some("Idempotency-Key") {
        return problem.field("idempotency_key").into();
    }
    if problem.code == Code::TooManyPending {
        let detail = "Too many of your proposals wait for a person, so this one was not taken. Go on with other work, and \
            call check-proposal for the pending_ids; propose this again when one of them is decided.";
        return Problem { detail: detail.into(), ..*problem }.into();
    }
    Error::Problem(problem)
}
