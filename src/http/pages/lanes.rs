//! The lanes a person may see.

use askama::Template;
use axum::extract::State;
use uuid::Uuid;

use super::frame::{Frame, Tab};
use super::visit::Visit;
use super::when::When;
use super::{Page, history, lane, words};
use crate::app::{App, AppState};
use crate::domain::access::{self, Verb};
use crate::domain::pane::FRESH;
use crate::error::Result;
use crate::flows::attention;
use crate::flows::proposals::reviews;
use crate::store::proposals::glance::Waiting;
use crate::store::{agents, panes, places, policies};

/// `/lanes`
#[derive(Debug, Template)]
#[template(path = "pages/lanes.html")]
pub struct Lanes {
    /// The frame.
    pub frame: Frame,
    /// The projects, by name.
    pub projects: Vec<Project>,
    /// The form that holds everything, for who may.
    pub pause: Option<Pause>,
}

/// The form that holds everything.
#[derive(Debug, Default)]
pub struct Pause {
    /// Why it was not taken.
    pub problem: Option<String>,
    /// The reason as typed before.
    pub reason: String,
}

/// A project with its lanes.
#[derive(Debug)]
pub struct Project {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// Its lanes, by name.
    pub lanes: Vec<LaneRow>,
}

/// A lane in the list.
#[derive(Debug)]
pub struct LaneRow {
    /// Its name.
    pub name: String,
    /// Its agents.
    pub agents: usize,
    /// What waits in it, with what else a person is needed for.
    pub waiting: usize,
    /// Whether its dialogs are answered without a person, in words, and whether they are.
    pub supervised: (&'static str, bool),
    /// The last time anything happened.
    pub active: Option<When>,
    /// Its panes, as their clients last reported them.
    pub panes: Vec<lane::Pane>,
}

impl Lanes {
    /// A lane to name in the example, when there are some and no pane of any is watched.
    pub fn unwatched(&self) -> Option<&str> {
        let lanes = || self.projects.iter().flat_map(|project| &project.lanes);
        let none = lanes().all(|lane| lane.panes.is_empty());
        lanes().next().filter(|_| none).map(|lane| lane.name.as_str())
    }
}

impl LaneRow {
    /// How many agents, in words.
    pub fn agents_word(&self) -> String {
        words::plural(self.agents, "agent")
    }
}

/// `GET /lanes`.
pub async fn handle(State(app): State<AppState>, visit: Visit) -> Result<Page<Lanes>> {
    page(&app, &visit, None).await.map(Page)
}

/// The whole page; with a pause that was not taken, if there was one.
pub(super) async fn page(app: &App, visit: &Visit, refused: Option<Pause>) -> Result<Lanes> {
    let (frame, waiting) = visit.frame(app, "Lanes", Tab::Lanes).await?;
    let seen = reviews::visible(&visit.person);
    let lanes = history::visible_lanes(app, &seen).await?;
    let mut conn = app.db.acquire().await?;
    let agents = agents::list(&mut conn, None).await?;
    let projects = places::projects(&mut conn, None).await?;
    let (_, document) = policies::head(&mut conn).await?;
    let panes = panes::watched(&mut conn, None, visit.person.now() - FRESH).await?;
    let needs = attention::mine(&mut conn, &visit.person).await?;
    let paused = frame.paused.is_some();
    let row = |lane: &places::LaneRow| {
        let here = agents.iter().filter(|agent| agent.lane == lane.name);
        LaneRow {
            name: lane.name.clone(),
            agents: here.clone().count(),
            // As the inbox counts: what waits to be decided, and what a person is needed for beside.
            waiting: of_lane(&waiting, lane.id) + needs.iter().filter(|need| need.lane_id == lane.id).count(),
            supervised: lane::supervised(document.resolve(&lane.name).keys, paused),
            active: here.filter_map(|agent| agent.last_used_at).max().map(|at| visit.reader().when(at)),
            panes: panes.iter().filter(|pane| pane.lane_id == lane.id).map(|pane| lane::pane(visit, pane)).collect(),
        }
    };
    let project = |project: places::ProjectRow| {
        let of_it = lanes.iter().filter(|lane| lane.project_id == project.id);
        let lanes: Vec<_> = of_it.map(row).collect();
        let visible = !lanes.is_empty() || seen.everywhere || seen.projects.contains(&project.id);
        visible.then_some(Project { name: project.name, path: project.repo, lanes })
    };
    let may = access::everywhere(visit.person.grants(), Verb::Pause, visit.person.now());
    let pause = refused.or_else(|| (may && !paused).then(Pause::default));
    Ok(Lanes { frame, projects: projects.into_iter().filter_map(project).collect(), pause })
}

fn of_lane(waiting: &[Waiting], lane: Uuid) -> usize {
    let found = waiting.iter().find(|waiting| waiting.lane_id == lane);
    found.and_then(|waiting| usize::try_from(waiting.count).ok()).unwrap_or_default()
}
