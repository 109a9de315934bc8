//! Messages between a lane's agents that have no outcome yet: who waits for whom.

use crate::domain::text::{Kind, Shown, show};
use crate::http::pages::visit::Visit;
use crate::http::pages::when::{Left, When};
use crate::store::tickets::InFlight;

/// A message from a lead to a member that has no outcome yet.
#[derive(Debug)]
pub struct Ticket {
    /// The lead, and its lane.
    pub lead: (String, String),
    /// The member's pane as its client names it, and its lane: its session would tell a person nothing.
    pub member: (Shown, String),
    /// The member has a question: then it waits for the lead.
    pub asks: bool,
    /// How far it has come, in words.
    pub state: &'static str,
    /// When it was sent.
    pub sent: When,
    /// Until when the member's question can be answered.
    pub left: Option<Left>,
}

pub(super) fn ticket(visit: &Visit, row: InFlight) -> Ticket {
    let state = match row.state.as_str() {
        "question" => "has a question",
        "delivered" if row.picked_up_at.is_some() => "at work on it",
        "delivered" => "typed, not begun yet",
        "ordered" => "being typed",
        _ => "waits for its turn",
    };
    Ticket {
        lead: (row.from_agent, row.from_lane),
        member: (show(&row.pane, Kind::Command), row.to_lane),
        asks: row.state == "question",
        state,
        sent: visit.reader().when(row.created_at),
        left: row.question_until.map(|until| visit.reader().left(until)),
    }
}
