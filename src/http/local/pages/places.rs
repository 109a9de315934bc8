//! Adding and removing projects and lanes.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::ask::{Ask, Field, Kind, named};
use super::sent::Sent;
use super::visit::{Section, Visit};
use crate::app::AppState;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::places::{NewLane, NewProject};
use crate::http::extract::{Path, Query};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::places;

const NAME: &str = "Small letters, digits, dot, dash. It is never used again.";

/// `GET /admin/projects/add`.
pub async fn add_project_form(State(app): State<AppState>, visit: Visit) -> Result<Page<Ask>> {
    Ok(Page(adding_project(&app, visit, &Form::default()).await?))
}

/// `POST /admin/projects/add`.
pub async fn add_project(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = adding_project(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let new = NewProject { name: named(&form)?, repo: form.get("repo").trim().to_owned() };
        flows::places::add_project(&app, &admin, &new).await
    };
    ask.settle("/admin/lanes?done=project", act).await
}

async fn adding_project(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let desk = visit.desk(app, "Add a project", Section::Lanes).await?;
    Ok(Ask {
        heading: "Add a project".into(),
        why: vec!["A project is a repository. Its lanes are the worktrees that agents work in.".into()],
        fields: vec![
            Field::line(form, "name", "Name", NAME),
            Field::line(form, "repo", "Repository", "Its folder, as an absolute path."),
        ],
        action: "/admin/projects/add".into(),
        back: "/admin/lanes".into(),
        button: "Add",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/projects/{name}/remove`.
pub async fn remove_project_form(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
) -> Result<Page<Ask>> {
    Ok(Page(removing_project(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/projects/{name}/remove`.
pub async fn remove_project(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing_project(&app, visit, &name, &form).await?;
    let act = async { flows::places::remove_project(&app, &admin?, &name).await };
    ask.settle("/admin/lanes?done=project-removed", act).await
}

async fn removing_project(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    let known = {
        let mut conn = app.db.acquire().await?;
        places::project(&mut conn, name).await?
    };
    known.ok_or_else(Error::not_found)?;
    let desk = visit.desk(app, "Remove a project", Section::Lanes).await?;
    Ok(Ask {
        heading: format!("Remove project {name}"),
        why: vec!["Its lanes have to be removed first. Its name stays taken.".into()],
        action: format!("/admin/projects/{name}/remove"),
        back: "/admin/lanes".into(),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}

/// Where a lane is added from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct From {
    project: String,
}

/// `GET /admin/lanes/add`.
pub async fn add_lane_form(State(app): State<AppState>, visit: Visit, Query(from): Query<From>) -> Result<Page<Ask>> {
    let form = Form::of(&[("project", &from.project)]);
    Ok(Page(adding_lane(&app, visit, &form).await?))
}

/// `POST /admin/lanes/add`.
pub async fn add_lane(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = adding_lane(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let new = NewLane {
            name: named(&form)?,
            project: form.get("project").to_owned(),
            worktree: form.get("worktree").trim().to_owned(),
            profile: form.given("profile").map(|profile| profile.trim().to_owned()),
        };
        flows::places::add_lane(&app, &admin, &new).await
    };
    ask.settle("/admin/lanes?done=lane", act).await
}

async fn adding_lane(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let projects = {
        let mut conn = app.db.acquire().await?;
        places::projects(&mut conn, None).await?
    };
    let projects = projects.into_iter().map(|project| (project.name.clone(), project.name)).collect();
    let desk = visit.desk(app, "Add a lane", Section::Lanes).await?;
    Ok(Ask {
        heading: "Add a lane".into(),
        why: vec![
            "A lane is one worktree with its agents: the unit that is supervised. It begins unsupervised.".into(),
        ],
        fields: vec![
            Field::line(form, "name", "Name", NAME),
            Field::line(form, "project", "Project", "").of(Kind::One(projects)),
            Field::line(form, "worktree", "Worktree", "Its folder, as an absolute path."),
            Field::line(form, "profile", "Profile", "The profile its agents run with.").optional(),
        ],
        action: "/admin/lanes/add".into(),
        back: "/admin/lanes".into(),
        button: "Add",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/lanes/{name}/remove`.
pub async fn remove_lane_form(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
) -> Result<Page<Ask>> {
    Ok(Page(removing_lane(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/lanes/{name}/remove`.
pub async fn remove_lane(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing_lane(&app, visit, &name, &form).await?;
    let act = async { flows::places::remove_lane(&app, &admin?, &name).await };
    ask.settle("/admin/lanes?done=lane-removed", act).await
}

async fn removing_lane(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    let known = {
        let mut conn = app.db.acquire().await?;
        places::lane(&mut conn, name).await?
    };
    known.ok_or_else(Error::not_found)?;
    let desk = visit.desk(app, "Remove a lane", Section::Lanes).await?;
    Ok(Ask {
        heading: format!("Remove lane {name}"),
        why: vec![
            "Its agents have to be removed first.".into(),
            "What was decided in it stays on the record, and its name stays taken.".into(),
        ],
        action: format!("/admin/lanes/{name}/remove"),
        back: "/admin/lanes".into(),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}
