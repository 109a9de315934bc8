//! Adding and removing agents, new tokens, tokens taken back.

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::{Shown, overlap};
use crate::app::AppState;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::agents::{Issued, NewAgent};
use crate::http::extract::Path;
use crate::http::local::pages::ask::{Ask, Field, Kind, named};
use crate::http::local::pages::sent::Sent;
use crate::http::local::pages::visit::{Section, Visit};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::{agents, places};

/// `GET /admin/agents/add`.
pub async fn add_form(State(app): State<AppState>, visit: Visit) -> Result<Page<Ask>> {
    Ok(Page(adding(&app, visit, &Form::default()).await?))
}

/// `POST /admin/agents/add`: answers with the token, which no other page can show.
pub async fn add(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = adding(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let new = NewAgent {
            name: named(&form)?,
            lane: form.get("lane").to_owned(),
            lead: !form.get("lead").is_empty(),
            pane: form.given("pane").map(|pane| pane.trim().to_owned()),
        };
        flows::agents::add(&app, &admin, &new).await
    };
    match act.await {
        Ok(issued) => shown(&app, visit, form.get("name").trim(), issued).await,
        Err(error) => ask.refused(error),
    }
}

async fn adding(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let lanes = {
        let mut conn = app.db.acquire().await?;
        places::lanes(&mut conn, None).await?
    };
    let lanes =
        lanes.into_iter().map(|lane| (lane.name.clone(), format!("{} in {}", lane.name, lane.project))).collect();
    let desk = visit.desk(app, "Add an agent", Section::Agents).await?;
    let lead = "It sees and sends to the sessions of its whole project.";
    let pane = "Only if several agents share the lane: the key of the pane that this one runs in.";
    Ok(Ask {
        heading: "Add an agent".into(),
        why: vec!["It gets a token for its lane, which is shown once. With it it may ask; it can never decide.".into()],
        fields: vec![
            Field::line(form, "name", "Name", "Small letters, digits, dot, dash. It is never used again."),
            Field::line(form, "lane", "Lane", "").of(Kind::One(lanes)),
            Field::line(form, "lead", "It leads its project", lead).of(Kind::Switch),
            Field::line(form, "pane", "Pane", pane).optional(),
        ],
        action: "/admin/agents/add".into(),
        back: "/admin/agents".into(),
        button: "Add",
        ..Ask::new(desk, form)
    })
}

async fn shown(app: &AppState, visit: Visit, name: &str, issued: Issued) -> Result<Response> {
    let desk = visit.desk(app, "Token", Section::Agents).await?;
    let use_it = "The agent sends it with every request, as Authorization: Bearer and the token.";
    let page = Shown { desk, name: name.to_owned(), token: issued.token.text.into(), use_it, back: "/admin/agents" };
    Ok(Page(page).into_response())
}

/// `GET /admin/agents/{name}/rotate`.
pub async fn rotate_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(rotating(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/agents/{name}/rotate`: answers with the new token.
pub async fn rotate(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = rotating(&app, visit, &name, &form).await?;
    let overlap = form.get("overlap_secs").parse().unwrap_or(0);
    let act = async { flows::agents::rotate(&app, &admin?, &name, overlap).await };
    match act.await {
        Ok(issued) => shown(&app, visit, &name, issued).await,
        Err(error) => ask.refused(error),
    }
}

async fn rotating(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "New token", Section::Agents).await?;
    Ok(Ask {
        heading: format!("A new token for {name}"),
        why: vec!["It is shown once.".into()],
        fields: vec![overlap(form)],
        action: format!("/admin/agents/{name}/rotate"),
        back: "/admin/agents".into(),
        button: "Make the token",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/agents/{name}/revoke`.
pub async fn revoke_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(revoking(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/agents/{name}/revoke`.
pub async fn revoke(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = revoking(&app, visit, &name, &form).await?;
    let act = async { flows::agents::revoke(&app, &admin?, &name).await };
    ask.settle("/admin/agents?done=revoked", act).await
}

async fn revoking(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Take tokens back", Section::Agents).await?;
    Ok(Ask {
        heading: format!("Take the tokens of {name} back"),
        why: vec!["They end at once, and it cannot call any more. What it asked for stays open.".into()],
        action: format!("/admin/agents/{name}/revoke"),
        back: "/admin/agents".into(),
        button: "Take them back",
        removes: true,
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/agents/{name}/remove`.
pub async fn remove_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(removing(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/agents/{name}/remove`.
pub async fn remove(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing(&app, visit, &name, &form).await?;
    let act = async { flows::agents::remove(&app, &admin?, &name).await };
    ask.settle("/admin/agents?done=removed", act).await
}

async fn removing(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Remove an agent", Section::Agents).await?;
    Ok(Ask {
        heading: format!("Remove agent {name}"),
        why: vec![
            "Its tokens end and what it has asked for is withdrawn.".into(),
            "What was decided stays on the record, and its name stays taken.".into(),
        ],
        action: format!("/admin/agents/{name}/remove"),
        back: "/admin/agents".into(),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}

async fn exists(app: &AppState, name: &str) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let found = agents::list(&mut conn, Some(name)).await?;
    if found.is_empty() { Err(Error::not_found()) } else { Ok(()) }
}
