//! Projects with their lanes, and the way to each lane's supervision.

use askama::Template;
use axum::extract::State;

use super::Done;
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::domain::policy;
use crate::error::Result;
use crate::http::extract::Query;
use crate::http::pages::{Page, words};
use crate::store::{agents, places, policies};

/// `/admin/lanes`
#[derive(Debug, Template)]
#[template(path = "admin/lanes.html")]
pub struct Lanes {
    /// The frame.
    pub desk: Desk,
    /// The projects.
    pub projects: Vec<Project>,
    /// The master switch.
    pub master: bool,
}

/// A project with its lanes.
#[derive(Debug)]
pub struct Project {
    /// Its name.
    pub name: String,
    /// Its repository.
    pub repo: String,
    /// Its lanes.
    pub lanes: Vec<Lane>,
}

/// A lane in the list.
#[derive(Debug)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Its worktree.
    pub worktree: String,
    /// The profile its agents run with.
    pub profile: Option<String>,
    /// How many agents it has, in words.
    pub agents: String,
    /// Its own switch is on.
    pub enabled: bool,
    /// How many fields of the policy it has of its own, beside the switch.
    pub own: usize,
}

impl Lane {
    /// How much it differs, in words.
    pub fn own_words(&self) -> String {
        words::plural(self.own, "field")
    }
}

/// How many fields a lane sets, beside its switch.
fn own_fields(own: &policy::Lane) -> usize {
    let fields = [own.mail_mode.is_some(), own.nudge_text.is_some(), own.stall_mins.is_some()];
    let more = [own.nudge_retries.is_some(), own.expect_work.is_some()];
    own.classes.len() + fields.into_iter().chain(more).filter(|set| *set).count()
}

/// `GET /admin/lanes`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Lanes>> {
    let notice = match done.done.as_str() {
        "project" => Some("The project is added. Now name a worktree of it: a lane."),
        "lane" => Some("The lane is added. It is not supervised before you switch it on."),
        "project-removed" => Some("The project is removed."),
        "lane-removed" => Some("The lane is removed. What was decided in it stays on the record."),
        _ => None,
    };
    let desk = visit.desk(&app, "Lanes", Section::Lanes).await?.with_notice(notice);
    let mut conn = app.db.acquire().await?;
    let lanes = places::lanes(&mut conn, None).await?;
    let agents = agents::list(&mut conn, None).await?;
    let (_, document) = policies::head(&mut conn).await?;
    let lane = |lane: &places::LaneRow| Lane {
        enabled: document.lanes.get(&lane.name).and_then(|own| own.enabled) == Some(true),
        own: document.lanes.get(&lane.name).map_or(0, own_fields),
        agents: words::plural(agents.iter().filter(|agent| agent.lane == lane.name).count(), "agent"),
        name: lane.name.clone(),
        worktree: lane.worktree.clone(),
        profile: lane.profile.clone(),
    };
    let project = |project: places::ProjectRow| Project {
        lanes: lanes.iter().filter(|row| row.project_id == project.id).map(lane).collect(),
        name: project.name,
        repo: project.repo,
    };
    let projects = places::projects(&mut conn, None).await?.into_iter().map(project).collect();
    Ok(Page(Lanes { desk, projects, master: document.supervision.enabled }))
}
