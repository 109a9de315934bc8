//! `fleet_*`: what passes between a lead and its members. Who calls is in the token; what they may is in the flows.

use std::fmt::Write;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::results::{Answer, about, data_of};
use super::schema::Nothing;
use crate::app::AppState;
use crate::auth::Agent;
use crate::domain::rendezvous::WAIT_MAX;
use crate::error::{Error, Result};
use crate::flows::fleet::{self, Message};

/// A message, or an answer to a question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Send {
    /// For new work: the session from fleet_list.
    #[serde(default)]
    session_id: Option<String>,
    /// To answer a question instead: the turnId that came with it. Never both.
    #[serde(default)]
    turn_id: Option<Uuid>,
    /// The text, at most 8 KiB. The member sees nothing else, so say all it needs, and what to do when in doubt.
    content: String,
    /// Seconds to wait for the member, 0 to 45; 45 when absent. 0 gives a ticket at once: right for all that takes minutes.
    #[serde(default)]
    #[schema(value_type = u32)]
    wait: Option<Value>,
}

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// What you need to know, at most 8 KiB, with the choices you see.
    question: String,
}

/// An answer to a lead.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    /// What you did and found, at most 8 KiB: it is all that your lead reads.
    content: String,
}

/// A ticket.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Poll {
    /// The ticket from fleet_send.
    ticket: Uuid,
}

/// An outcome.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Ack {
    /// The session that the outcome came from.
    target: String,
    /// The msgId of the outcome.
    msg_id: Uuid,
}

/// Who the caller is.
pub(super) async fn whoami(app: &AppState, agent: &Agent, _: Nothing) -> Result<Answer> {
    Answer::of(&fleet::whoami(app, agent).await?)
}

/// Who there is.
pub(super) async fn list(app: &AppState, agent: &Agent, _: Nothing) -> Result<Answer> {
    Answer::of(&json!({ "members": fleet::list(app, agent).await? }))
}

/// What lanes run with.
pub(super) async fn profiles(app: &AppState, agent: &Agent, _: Nothing) -> Result<Answer> {
    Answer::of(&json!({ "profiles": fleet::profiles(app, agent.lead()?).await? }))
}

/// A lead sends, or answers.
pub(super) async fn send(app: &AppState, agent: &Agent, args: Send) -> Result<Answer> {
    let lead = agent.lead()?;
    let wait = patience(args.wait.as_ref())?;
    let content = &args.content;
    let answer = match (&args.session_id, args.turn_id) {
        (Some(session_id), None) => {
            fleet::send(app, lead, Message { session_id, content, wait }).await.map_err(about("sessionId"))?
        }
        (None, Some(turn)) => fleet::answer(app, lead, turn, (content, wait)).await.map_err(about("turnId"))?,
        (Some(_), Some(_)) => {
            let detail = "Give sessionId for new work or turnId to answer a question, not both.";
            return Err(Error::invalid("turnId", detail));
        }
        (None, None) => {
            return Err(Error::invalid("sessionId", "Give sessionId for new work, or turnId to answer a question."));
        }
    };
    told(&answer)
}

/// A member asks.
pub(super) async fn ask(app: &AppState, agent: &Agent, args: Ask) -> Result<Answer> {
    told(&fleet::ask(app, agent, &args.question).await?)
}

/// A member answers.
pub(super) async fn reply(app: &AppState, agent: &Agent, args: Reply) -> Result<Answer> {
    told(&fleet::reply(app, agent, &args.content).await?)
}

/// A lead looks.
pub(super) async fn poll(app: &AppState, agent: &Agent, args: Poll) -> Result<Answer> {
    told(&fleet::poll(app, agent.lead()?, args.ticket).await.map_err(about("ticket"))?)
}

/// A lead puts an outcome away.
pub(super) async fn ack(app: &AppState, agent: &Agent, args: Ack) -> Result<Answer> {
    told(&fleet::ack(app, agent.lead()?, (&args.target, args.msg_id)).await?)
}

/// Seconds, or whether to wait at all, which some clients' models say instead.
fn patience(wait: Option<&Value>) -> Result<Duration> {
    let secs = match wait {
        None | Some(Value::Null | Value::Bool(true)) => Some(WAIT_MAX),
        Some(Value::Bool(false)) => Some(0),
        Some(value) => value.as_u64().filter(|secs| *secs <= WAIT_MAX),
    };
    secs.map(Duration::from_secs).ok_or_else(|| Error::invalid("wait", "takes 0 to 45 seconds"))
}

/// The outcome, what was said, what to do next, and the ids that this takes: some clients show a model nothing but text.
fn told(answer: &fleet::Answer) -> Result<Answer> {
    let mut text = format!("outcome: {}", answer.outcome.as_str());
    let ids = [("ticket", answer.ticket), ("turnId", answer.turn_id), ("msgId", answer.msg_id)];
    let ids = ids.iter().filter_map(|(name, id)| id.map(|id| (*name, id.to_string())));
    let named = [("reason", answer.reason.clone()), ("target", answer.target.clone())];
    let named = named.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    for (name, value) in ids.chain(named) {
        // Writing to a string does not fail.
        _ = write!(text, "\n{name}: {value}");
    }
    if answer.partial {
        text.push_str("\npartial: true");
    }
    if let Some(content) = &answer.content {
        _ = write!(text, "\ncontent:\n{content}\n");
    }
    _ = write!(text, "\n{}", answer.message);
    Ok(Answer::new(text, data_of(answer)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_seconds_or_whether() {
        for (said, secs) in
            [(None, 45), (Some(json!(null)), 45), (Some(json!(true)), 45), (Some(json!(false)), 0), (Some(json!(7)), 7)]
        {
            assert_eq!(patience(said.as_ref()).unwrap(), Duration::from_secs(secs), "{said:?}");
        }
        for said in [json!(46), json!(-1), json!("long"), json!(1.5)] {
            assert!(patience(Some(&said)).is_err(), "{said}");
        }
    }
}
