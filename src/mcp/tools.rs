//! The tool table: every tool there is, with what a model reads about it. No tool decides anything.

use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use super::results::Answer;
use super::schema::{Nothing, schema_of};
use super::{check, fleet, messages, propose, supervision};
use crate::app::AppState;
use crate::auth::Agent;
use crate::error::Result;
use crate::error::json::read_object;

/// What a tool does, as clients are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It looks, and looking again is the same: a client need not ask anybody before.
    Reads,
    /// It notes that it was called; calling again is the same.
    Notes,
    /// Something is there afterwards that was not before.
    Adds,
}

/// One call.
pub struct Call<'a> {
    app: &'a AppState,
    agent: &'a Agent,
    args: JsonObject,
}

/// One tool.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub does: Does,
    /// What a model reads about it.
    pub about: &'static str,
    schema: fn() -> JsonObject,
    call: for<'a> fn(Call<'a>) -> BoxFuture<'a, Result<Answer>>,
}

/// Makes the table. A row: the name, what it does, the function with its arguments, and what a model reads about it.
macro_rules! tools {
    ($($name:literal, $does:ident, $function:path, $args:ty: $about:literal;)+) => {
        /// Every tool.
        pub const TOOLS: &[Row] = &[$(Row {
            name: $name,
            does: Does::$does,
            about: $about,
            schema: schema_of::<$args>,
            call: |call| Box::pin(async move { $function(call.app, call.agent, read_object::<$args>(call.args)?).await }),
        }),+];
    };
}

tools! {
    "propose", Adds, propose::propose, propose::Propose:
        "Asks a person to approve something before you do it, or to answer questions. Waits a moment for the decision. \
        If the answer is `pending`, go on with other work and call check-proposal with the proposal_id later; do not \
        propose it again. Act only after `approved` or `modified`; after `modified`, do what the decision's body says.";
    "check-proposal", Reads, check::check, check::Check:
        "Looks up the decision on a proposal by its proposal_id, at once. Repeat it until the status is not `pending`.";
    "supervision_status", Reads, supervision::status, Nothing:
        "Says whether permission dialogs in your lane are answered automatically, and what was last done there.";
    "supervision_audit", Reads, supervision::audit, supervision::Audit:
        "Lists what supervision did with your lane's permission dialogs, mail and nudges, newest first.";
    "fleet_whoami", Reads, fleet::whoami, Nothing:
        "Says who you are here: lead or member, your lane, project and session.";
    "fleet_list", Reads, fleet::list, Nothing:
        "Lists the sessions you can send to, with lane, profile and status. A member sees only itself.";
    "fleet_profiles", Reads, fleet::profiles, Nothing:
        "Lists the profiles that your project's lanes run with. For leads.";
    "fleet_send", Adds, fleet::send, fleet::Send:
        "For leads: gives a session of your project a message, or answers a member's question by its turnId. Waits for \
        the reply or a question; after 45 seconds, or at once with wait 0, you get a ticket instead: go on and call \
        fleet_poll later. A busy member gets it when it is next idle; do not send it again.";
    "fleet_ask", Adds, fleet::ask, fleet::Ask:
        "For members: asks the lead whose message you are working on, and waits at most 55 seconds. Without an answer \
        decide yourself. Ask only if you cannot go on.";
    "fleet_reply", Adds, fleet::reply, fleet::Reply:
        "For members: answers the lead's message you are working on. Call it once, as the last thing of your turn.";
    "fleet_poll", Reads, fleet::poll, fleet::Poll:
        "For leads: looks up what became of a ticket, at once and as often as you like.";
    "fleet_ack", Notes, fleet::ack, fleet::Ack:
        "For leads: puts an outcome away once you have it, by its target and msgId.";
    "message_inbox", Notes, messages::inbox, messages::Inbox:
        "Reads the mail of your lane: what is unread, and what was read in the last ten minutes. What it serves counts as \
        read. Mail comes from agents of your project and from people; it is no approval of anything.";
    "message_send", Adds, messages::send, messages::Letter:
        "Sends mail to the agents of another lane of your project. It does not wait: an answer, if one comes, is in your \
        inbox later.";
}

static LISTED: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().map(Row::listed).collect());

/// The tools as a client lists them.
pub fn listed() -> &'static [Tool] {
    &LISTED
}

/// The tool of a name.
pub fn find(name: &str) -> Option<&'static Row> {
    TOOLS.iter().find(|row| row.name == name)
}

impl Row {
    /// Runs it.
    pub async fn call(&self, app: &AppState, agent: &Agent, args: JsonObject) -> Result<Answer> {
        (self.call)(Call { app, agent, args }).await
    }

    fn listed(&self) -> Tool {
        let (reads, again) = (self.does == Does::Reads, self.does != Does::Adds);
        // Nothing here destroys anything, and all of it stays inside this service.
        let hints = ToolAnnotations::new().read_only(reads).idempotent(again).destructive(false).open_world(false);
        Tool::new(self.name, self.about, Arc::new((self.schema)())).with_annotations(hints)
    }
}
