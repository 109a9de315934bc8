//! `message_inbox` and `message_send`: the mail of the agent's lane, and mail to lanes of its project.

use std::fmt::Write;

use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::results::{Answer, about, data_of};
use crate::app::AppState;
use crate::auth::Agent;
use crate::domain::mail::{Heading, framed};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::mail::{self, By, Served};

/// Which ones.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Inbox {
    /// Only messages behind the one with this id, read or not.
    #[serde(default)]
    after: Option<String>,
    /// At most so many, 1 to 50; 20 when absent.
    #[serde(default)]
    limit: Option<i64>,
}

/// To whom, and what.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Letter {
    /// The lane's name: the `from_lane` of what you answer, or another lane of your project.
    to_lane: String,
    /// What it says, at most 8 KiB.
    body: String,
    /// The id of the message that this answers.
    #[serde(default)]
    reply_to: Option<String>,
}

/// Serves the lane's mail.
pub(super) async fn inbox(app: &AppState, agent: &Agent, args: Inbox) -> Result<Answer> {
    let after = args.after.map(|id| id_of("after", &id)).transpose()?;
    let inbox = mail::inbox(app, agent, (after, args.limit)).await?;
    let mut message = match inbox.items.len() {
        0 => "No mail.".to_owned(),
        1 => "One message.".to_owned(),
        count => format!("{count} messages, oldest first."),
    };
    if let Some(next) = inbox.next {
        // Writing to a string does not fail.
        _ = write!(message, " There is more: call message_inbox again with after={next}.");
    }
    let mut data = data_of(&inbox)?;
    // Some clients show their model the data alone.
    data["message"] = json!(message);
    let lines = inbox.items.iter().map(line);
    let text = std::iter::once(message).chain(lines).collect::<Vec<_>>().join("\n");
    Ok(Answer::new(text, data))
}

/// A message as the model reads it: in its frame, which no body can end or begin.
fn line(served: &Served) -> String {
    let heading = Heading {
        id: served.id,
        sender: &served.from,
        from_lane: served.from_lane.as_deref(),
        reply_to: served.reply_to,
    };
    let note = match (served.typed, served.new) {
        (true, _) => " (typed to you before)",
        (false, false) => " (served before)",
        (false, true) => "",
    };
    format!("{}{note}", framed(&heading, &served.body))
}

/// Sends mail.
pub(super) async fn send(app: &AppState, agent: &Agent, args: Letter) -> Result<Answer> {
    let reply_to = args.reply_to.map(|id| id_of("reply_to", &id)).transpose()?;
    let letter = mail::Letter { lane: &args.to_lane, body: &args.body, reply_to };
    let sent = mail::send(app, By::Agent(agent), &letter).await.map_err(nowhere).map_err(about("to_lane"))?;
    let message = if sent.joined {
        "The same words of yours wait there already. Do not send them again."
    } else {
        "Sent. It waits until an agent of that lane reads it. Do not send it again; an answer comes to your inbox."
    };
    let data = json!({
        "message": message, "status": sent.state, "message_id": sent.id, "to_lane": sent.lane, "created_at": sent.created_at, "joined": sent.joined,
    });
    Ok(Answer::new(message, data))
}

/// In words that fit a tool: there is no address here. Another project's lane is no different from none.
fn nowhere(error: Error) -> Error {
    if error.code() == Code::NotFound {
        let detail = "There is no lane of this name in your project. Mail goes to the `from_lane` of a message, or to a lane that you were told.";
        return Problem::new(Code::NotFound, detail).field("to_lane").into();
    }
    error
}

fn id_of(field: &'static str, id: &str) -> Result<Uuid> {
    id.trim().parse().map_err(|_| Error::invalid(field, format!("{field} takes the id of a message.")))
}
