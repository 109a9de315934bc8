//! One lane: what is answered in it and what was, its panes and agents, what waits, what was decided.

mod activity;
mod policy;

pub use activity::Acted;
pub use policy::{ClassRow, Policy, supervised};

use askama::Template;
use axum::extract::State;

use super::Page;
use super::frame::{Frame, Tab};
use super::history::{self, Row};
use super::inbox::{self, Item};
use super::visit::Visit;
use super::when::When;
use crate::app::AppState;
use crate::domain::proposal::Status;
use crate::error::{Error, Result};
use crate::flows::proposals::reviews;
use crate::http::extract::Path;
use crate::store::agents::{self, AgentRow};
use crate::store::proposals::list::Filter;
use crate::store::{places, policies, shown};

/// `/lanes/{name}`
#[derive(Debug, Template)]
#[template(path = "pages/lane.html")]
pub struct Lane {
    /// The frame.
    pub frame: Frame,
    /// Its name.
    pub name: String,
    /// Its project.
    pub project: String,
    /// Its worktree.
    pub worktree: String,
    /// What is answered in it without a person.
    pub policy: Policy,
    /// What was done by it, newest first.
    pub activity: Vec<Acted>,
    /// Its agents.
    pub agents: Vec<Agent>,
    /// What waits.
    pub waiting: Vec<Item>,
    /// What was decided last.
    pub decided: Vec<Row>,
}

/// An agent of the lane.
#[derive(Debug)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// It leads its project.
    pub lead: bool,
    /// Proposals in flight, and how many may be.
    pub pending: (usize, usize),
    /// When its token was used last.
    pub seen: Option<When>,
}

/// How many one page lists.
const WAITING: i64 = 200;
const DECIDED: i64 = 10;
const ACTED: i64 = 40;

/// `GET /lanes/{name}`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Lane>> {
    let seen = reviews::visible(&visit.person);
    let (lane, agents, (version, document), acted) = {
        let mut conn = app.db.acquire().await?;
        let lane = places::lanes(&mut conn, Some(&name)).await?.into_iter().next();
        let lane = lane.filter(|lane| seen.shows(lane.project_id, lane.id)).ok_or_else(Error::not_found)?;
        let acted = shown::acted(&mut conn, lane.id, ACTED).await?;
        (lane, agents::list(&mut conn, None).await?, policies::head(&mut conn).await?, acted)
    };
    let (frame, _) = visit.frame(&app, &name, Tab::Lanes).await?;
    let here = Filter { lane: Some(name), ..seen };
    let pending = vec![Status::Pending.as_str().to_owned()];
    let mut waiting = reviews::list(&app, &Filter { statuses: pending, limit: WAITING, ..here.clone() }).await?;
    waiting.sort_by_key(inbox::urgency);
    let decided = Filter { statuses: history::finals(), limit: DECIDED, ..here };
    let decided = reviews::list(&app, &decided).await?;
    let agent = |agent: AgentRow| Agent {
        name: agent.name,
        lead: agent.lead,
        pending: (usize::try_from(agent.pending).unwrap_or_default(), usize::try_from(agent.cap).unwrap_or_default()),
        seen: agent.last_used_at.map(|at| visit.reader().when(at)),
    };
    Ok(Page(Lane {
        policy: policy::policy(version, &document, &lane.name),
        activity: activity::activity(&visit, acted),
        frame,
        agents: agents.into_iter().filter(|agent| agent.lane == lane.name).map(agent).collect(),
        name: lane.name,
        project: lane.project,
        worktree: lane.worktree,
        waiting: inbox::items(&app, &visit, &waiting).await?,
        decided: history::rows(&app, &visit, &decided).await?,
    }))
}
