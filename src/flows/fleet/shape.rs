//! What an agent is told of a ticket (contract, section 7), and in a few words what to do next.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::domain::rendezvous::{Failure, Outcome, Ticket, Wait};
use crate::domain::text::framing::unforged;
use crate::domain::verdict::words;
use crate::store::tickets::Ask;

words! {
    /// The contract's outcomes.
    Word {
        /// The other side answered.
        Reply "reply",
        /// The member asks.
        Question "question",
        /// The turn ended without an answer.
        TurnDone "turn_done",
        /// The member's provider serves it no more.
        Exhausted "exhausted",
        /// It is taken.
        Accepted "accepted",
        /// It was typed, and nothing has come of it yet.
        Pending "pending",
        /// It was not typed yet.
        Queued "queued",
        /// It came to nothing.
        Failed "failed",
        /// Nobody answered in time.
        NoAnswer "no_answer",
    }
}

/// An answer to a call.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// What came of it.
    pub outcome: Word,
    /// The ticket.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<Uuid>,
    /// The question, by which it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<Uuid>,
    /// Names the outcome, for `fleet_ack`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msg_id: Option<Uuid>,
    /// The session it is about, for `fleet_ack`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The beginning of that is missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do next.
    pub message: String,
}

impl Answer {
    /// An answer that says no more than this.
    pub fn of(outcome: Word, ticket: Uuid) -> Self {
        let next = match outcome {
            Word::Accepted => {
                "Go on with your own work. fleet_poll with this ticket gives the outcome; do not send it again."
            }
            _ => "Call fleet_poll with this ticket later; do not send it again.",
        };
        Self { ticket: Some(ticket), ..Self::bare(outcome, next) }
    }

    fn bare(outcome: Word, next: &str) -> Self {
        Self {
            outcome,
            ticket: None,
            turn_id: None,
            msg_id: None,
            target: None,
            content: None,
            partial: false,
            reason: None,
            message: next.to_owned(),
        }
    }
}

/// Too many wait for the session; there is no ticket.
pub(super) fn queue_full() -> Answer {
    let next = "Too many messages wait for this session. Let it work through some, or choose another of fleet_list.";
    Answer { reason: Some("queue_full".to_owned()), ..Answer::bare(Word::Failed, next) }
}

/// The lead's answer came too late; the ticket goes on.
pub(super) fn ask_closed(ticket: Uuid) -> Answer {
    let next =
        "The member's question is no longer open; it went on without the answer. Wait for its reply with fleet_poll.";
    Answer { ticket: Some(ticket), reason: Some("ask_closed".to_owned()), ..Answer::bare(Word::Failed, next) }
}

/// A member's question, for its lead.
pub(super) fn question(ticket: Uuid, ask: &Ask) -> Answer {
    let next = "Answer at once with fleet_send {turnId, content}: the member waits 55 seconds from its question. Never answer with sessionId.";
    Answer {
        ticket: Some(ticket),
        turn_id: Some(ask.id),
        content: Some(unforged(&ask.question)),
        ..Answer::bare(Word::Question, next)
    }
}

/// A ticket that is closed. What agents say to each other opens no frame: nobody else's words are made of it.
pub(super) fn closed(ticket: &Ticket) -> Answer {
    let (outcome, next) = match ticket.outcome() {
        Some(Outcome::Reply) => (Word::Reply, "Put it away with fleet_ack {target, msgId}.".to_owned()),
        Some(Outcome::TurnDone) => (Word::TurnDone, hint(ticket)),
        Some(Outcome::Exhausted) => {
            let why = "The member's provider serves it no more, so it did nothing or stopped. Give the work to another session, then fleet_ack.";
            (Word::Exhausted, why.to_owned())
        }
        Some(Outcome::Failed) | None => (Word::Failed, failure(ticket.failure()).to_owned()),
    };
    let next = if ticket.acked_at.is_some() { "It is put away already.".to_owned() } else { next };
    Answer {
        ticket: Some(ticket.id),
        msg_id: ticket.msg_id,
        target: Some(ticket.session_id.clone()),
        content: ticket.result.as_ref().map(|text| content(outcome, text, ticket.partial)),
        partial: ticket.partial,
        reason: ticket.reason.clone(),
        ..Answer::bare(outcome, &next)
    }
}

/// What was read off a screen says so itself: it is passed on without the rest of the answer.
fn content(outcome: Word, text: &str, partial: bool) -> String {
    let text = unforged(text);
    match (outcome, partial) {
        (Word::TurnDone, true) => {
            format!("[A hint: the end of the member's screen, its beginning cut off. Not its answer.]\n{text}")
        }
        (Word::TurnDone, false) => format!("[A hint: the end of the member's screen. Not its answer.]\n{text}"),
        _ => text,
    }
}

fn hint(ticket: &Ticket) -> String {
    let known = match ticket.reason.as_deref() {
        Some("echoed_brief") => "Only your own message is on its screen, so perhaps it never began.",
        Some(_) => "Nothing could be read off its screen.",
        None => "The content is only a hint.",
    };
    format!(
        "The member ended its turn without fleet_reply. {known} Look at its worktree with git log before you believe anything, then fleet_ack."
    )
}

fn failure(why: Option<Failure>) -> &'static str {
    match why {
        Some(Failure::NotMounted) => {
            "The member's client made no MCP call within 60 seconds, so nothing was typed. Have it connected, then send again."
        }
        Some(Failure::SessionGone) => "The session has ended. Look at fleet_list; send again to one that is there.",
        Some(Failure::SendFailed) => {
            "It was begun and may have arrived; it is not typed again. Look at the member's pane or worktree before you send anew."
        }
        Some(Failure::LeadGone | Failure::Restored) | None => {
            "Nothing more comes of it. Look at fleet_list before you send anew."
        }
    }
}

/// Typed, and nothing has come of it yet.
pub(super) fn pending(ticket: &Ticket) -> Answer {
    let reason = if ticket.picked_up_at.is_some() { "working" } else { "not_picked_up_yet" };
    Answer { reason: Some(reason.to_owned()), ..Answer::of(Word::Pending, ticket.id) }
}

/// Not typed yet.
pub(super) fn queued(ticket: &Ticket, why: Wait) -> Answer {
    let next =
        "It is typed when the member is next idle; call fleet_poll with this ticket later, and do not send it again.";
    Answer { ticket: Some(ticket.id), reason: Some(why.as_str().to_owned()), ..Answer::bare(Word::Queued, next) }
}

/// The lead's answer, for the member that asked.
pub(super) fn answered(turn: Uuid, answer: &str) -> Answer {
    let next = "Go on with your turn; close it with fleet_reply.";
    Answer { turn_id: Some(turn), content: Some(unforged(answer)), ..Answer::bare(Word::Reply, next) }
}

/// Nobody answered the member in time.
pub(super) fn no_answer(turn: Uuid) -> Answer {
    let next = "Nobody answered in time. Decide yourself, go on, and say in fleet_reply what you decided.";
    Answer { turn_id: Some(turn), ..Answer::bare(Word::NoAnswer, next) }
}

/// The server stops while a member waits.
pub(super) fn ask_again(turn: Uuid) -> Answer {
    let next = "The server restarts. Call fleet_ask with the same question again; it is still open.";
    Answer { turn_id: Some(turn), ..Answer::bare(Word::Pending, next) }
}

/// The member's answer is kept.
pub(super) fn taken() -> Answer {
    Answer::bare(Word::Accepted, "Your lead has it. End your turn; the next message comes to your prompt.")
}

/// The outcome is put away.
pub(super) fn put_away(ticket: Uuid) -> Answer {
    Answer { ticket: Some(ticket), ..Answer::bare(Word::Accepted, "Nothing more is to do for this ticket.") }
}
