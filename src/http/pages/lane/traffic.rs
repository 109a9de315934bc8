//! What is under way in a lane: its mail, and agents that have stalled.

use crate::domain::text::{Kind, Shown, show};
use crate::http::pages::visit::Visit;
use crate::http::pages::when::When;
use crate::http::pages::words::plural;
use crate::store::messages::MessageRow;
use crate::store::stalls::Episode;

/// How much of a message a list shows.
const BEGINNING: usize = 400;

/// A message to the lane.
#[derive(Debug)]
pub struct Letter {
    /// Its id.
    pub id: String,
    /// Who sent it.
    pub from: String,
    /// How far it has come, in words.
    pub state: String,
    /// It needs somebody.
    pub loud: bool,
    /// When it was sent.
    pub sent: When,
    /// What it says, or the beginning of it; none once it is no longer kept.
    pub says: Option<Shown>,
    /// How many characters of it are not shown.
    pub rest: usize,
}

/// An agent that has something to do and does nothing.
#[derive(Debug)]
pub struct Stall {
    /// Its pane.
    pub pane: Shown,
    /// Since when nothing has moved.
    pub still: When,
    /// What was done about it, in words.
    pub tried: String,
    /// When a person was told.
    pub told: Option<When>,
}

pub(super) fn letter(visit: &Visit, row: &MessageRow) -> Letter {
    let (state, loud) = state(row);
    let body = row.body.as_deref();
    let end = body.map(|body| body.char_indices().nth(BEGINNING).map_or(body.len(), |(at, _)| at));
    let (says, rest) = body.zip(end).map(|(body, end)| (&body[..end], body[end..].chars().count())).unzip();
    Letter {
        id: row.id.to_string(),
        from: sender(&row.sender, row.from_lane.as_deref()),
        state,
        loud,
        sent: visit.reader().when(row.created_at),
        says: says.map(|text| show(text, Kind::Prose)),
        rest: rest.unwrap_or_default(),
    }
}

/// `agent:coder` of lane web is `coder in web`.
fn sender(word: &str, lane: Option<&str>) -> String {
    let name = word.split_once(':').map_or(word, |(_, name)| name);
    match lane {
        Some(lane) => format!("{name} in {lane}"),
        None if word.starts_with("admin:") => format!("{name}, at the machine"),
        None => name.to_owned(),
    }
}

fn state(row: &MessageRow) -> (String, bool) {
    let tried = match row.attempts {
        0 => String::new(),
        1 => ", tried once".to_owned(),
        n => format!(", tried {n} times"),
    };
    match row.state.as_str() {
        "failed" if row.read_at.is_some() => ("given up, read later".to_owned(), false),
        "failed" => ("not delivered".to_owned(), true),
        "delivered" if row.delivered_by.as_deref() == Some("pane") => ("typed".to_owned(), false),
        "delivered" => ("read".to_owned(), false),
        _ if row.ordered => ("on its way".to_owned(), false),
        _ if row.nudged_at.is_some() => ("announced, not read yet".to_owned(), false),
        _ => (format!("waits{tried}"), false),
    }
}

pub(super) fn stall(visit: &Visit, episode: &Episode) -> Stall {
    let nudges = usize::try_from(episode.nudges).unwrap_or_default();
    let typed = usize::try_from(episode.typed).unwrap_or_default();
    let tried = match (nudges, typed) {
        (0, _) => "not nudged".to_owned(),
        (n, typed) if n == typed => format!("{} typed", plural(n, "nudge")),
        (n, typed) => format!("{}, {typed} of them typed", plural(n, "nudge")),
    };
    Stall {
        pane: show(&episode.pane_key, Kind::Command),
        still: visit.reader().when(episode.still_since),
        tried,
        told: episode.escalated_at.map(|at| visit.reader().when(at)),
    }
}
