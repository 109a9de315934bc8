//! Agents and their tokens.

pub mod change;

use askama::Template;
use axum::extract::State;

use super::Done;
use super::ask::{Field, Kind};
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::http::pages::when::When;
use crate::store::agents::AgentRow;
use crate::store::{agents, tokens};

/// `/admin/agents`
#[derive(Debug, Template)]
#[template(path = "admin/agents.html")]
pub struct Agents {
    /// The frame.
    pub desk: Desk,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Whether there is a lane that an agent could be added to.
    pub has_lanes: bool,
}

/// An agent in the list.
#[derive(Debug)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Its lane.
    pub lane: String,
    /// The pane it is bound to.
    pub pane: Option<String>,
    /// It leads its project.
    pub lead: bool,
    /// Proposals in flight, and how many may be.
    pub pending: (i32, i32),
    /// When it called last.
    pub called: Option<When>,
    /// Its good tokens: the last characters, and when each ends.
    pub tokens: Vec<(String, Option<String>)>,
}

/// A token, for the one time it is shown.
#[derive(Debug, Template)]
#[template(path = "admin/token.html")]
pub struct Shown {
    /// The frame.
    pub desk: Desk,
    /// Whose it is.
    pub name: String,
    /// What to send as `Authorization: Bearer …`.
    pub token: Secret,
    /// What to do with it, in a sentence.
    pub use_it: &'static str,
    /// Where to go on.
    pub back: &'static str,
}

/// The field of a new token that says when the old one ends.
pub(super) fn overlap(form: &Form) -> Field {
    let ends = [("0", "at once"), ("600", "in ten minutes"), ("3600", "in an hour"), ("86400", "in a day")];
    let ends = ends.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
    Field::line(form, "overlap_secs", "The old one ends", "").of(Kind::One(ends))
}

/// `GET /admin/agents`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Agents>> {
    let notice = match done.done.as_str() {
        "revoked" => Some("Its tokens have ended. Give it a new one when it may call again."),
        "removed" => Some("The agent is removed. What it had asked for is withdrawn."),
        _ => None,
    };
    let desk = visit.desk(&app, "Agents", Section::Agents).await?.with_notice(notice);
    let reader = visit.reader();
    let mut conn = app.db.acquire().await?;
    let has_lanes = !crate::store::places::lanes(&mut conn, None).await?.is_empty();
    let mut all = Vec::new();
    for AgentRow { id, name, lane, lead, pane, pending, cap, last_used_at, .. } in agents::list(&mut conn, None).await?
    {
        let good = tokens::of_principal(&mut conn, id, visit.now).await?;
        let tokens = good.into_iter().map(|token| (token.hint, token.expires_at.map(|at| reader.exact(at))));
        let called = last_used_at.map(|at| reader.when(at));
        all.push(Agent { name, lane, pane, lead, pending: (pending, cap), called, tokens: tokens.collect() });
    }
    Ok(Page(Agents { desk, agents: all, has_lanes }))
}
