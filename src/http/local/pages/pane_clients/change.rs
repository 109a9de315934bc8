//! Adding and removing pane clients, new tokens, tokens taken back.

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::AppState;
use crate::error::{Error, Result};
use crate::flows::pane_clients::{self, Issued, NewPaneClient};
use crate::http::extract::Path;
use crate::http::local::pages::agents::{Shown, overlap};
use crate::http::local::pages::ask::{Ask, Field, named};
use crate::http::local::pages::sent::Sent;
use crate::http::local::pages::visit::{Section, Visit};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::{pane_clients as stored, places};

/// `GET /admin/pane-clients/add`.
pub async fn add_form(State(app): State<AppState>, visit: Visit) -> Result<Page<Ask>> {
    Ok(Page(adding(&app, visit, &Form::default()).await?))
}

/// `POST /admin/pane-clients/add`: answers with the token, which no other page can show.
pub async fn add(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = adding(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let new = NewPaneClient { name: named(&form)?, lanes: form.all("lanes") };
        pane_clients::add(&app, &admin, &new).await
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
    let lanes: Vec<&str> = lanes.iter().map(|lane| lane.name.as_str()).collect();
    let desk = visit.desk(app, "Add a pane client", Section::PaneClients).await?;
    Ok(Ask {
        heading: "Add a pane client".into(),
        why: vec![
            "It watches the terminal panes of its lanes, reports their dialogs, and types what was decided. It decides nothing."
                .into(),
        ],
        fields: vec![
            Field::line(form, "name", "Name", "Small letters, digits, dot, dash. It is never used again."),
            Field::any(form, "lanes", "It watches", &lanes),
        ],
        action: "/admin/pane-clients/add".into(),
        back: "/admin/pane-clients".into(),
        button: "Add",
        ..Ask::new(desk, form)
    })
}

async fn shown(app: &AppState, visit: Visit, name: &str, issued: Issued) -> Result<Response> {
    let desk = visit.desk(app, "Token", Section::PaneClients).await?;
    let use_it = "Put it into a file that only its user reads, and give that to countersign pane as --token-file.";
    let (name, token, back) = (name.to_owned(), issued.token.text.into(), "/admin/pane-clients");
    Ok(Page(Shown { desk, name, token, use_it, back }).into_response())
}

/// `GET /admin/pane-clients/{name}/rotate`.
pub async fn rotate_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(rotating(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/pane-clients/{name}/rotate`: answers with the new token.
pub async fn rotate(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = rotating(&app, visit, &name, &form).await?;
    let overlap_secs = form.get("overlap_secs").parse().unwrap_or(0);
    let act = async { pane_clients::rotate(&app, &admin?, &name, overlap_secs).await };
    match act.await {
        Ok(issued) => shown(&app, visit, &name, issued).await,
        Err(error) => ask.refused(error),
    }
}

async fn rotating(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "New token", Section::PaneClients).await?;
    Ok(Ask {
        heading: format!("A new token for {name}"),
        why: vec!["It is shown once.".into()],
        fields: vec![overlap(form)],
        action: format!("/admin/pane-clients/{name}/rotate"),
        back: "/admin/pane-clients".into(),
        button: "Make the token",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/pane-clients/{name}/revoke`.
pub async fn revoke_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(revoking(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/pane-clients/{name}/revoke`.
pub async fn revoke(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = revoking(&app, visit, &name, &form).await?;
    let act = async { pane_clients::revoke(&app, &admin?, &name).await };
    ask.settle("/admin/pane-clients?done=revoked", act).await
}

async fn revoking(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Take tokens back", Section::PaneClients).await?;
    Ok(Ask {
        heading: format!("Take the tokens of {name} back"),
        why: vec!["They end at once, the short-lived ones too. It reports and types nothing any more.".into()],
        action: format!("/admin/pane-clients/{name}/revoke"),
        back: "/admin/pane-clients".into(),
        button: "Take them back",
        removes: true,
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/pane-clients/{name}/remove`.
pub async fn remove_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(removing(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/pane-clients/{name}/remove`.
pub async fn remove(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing(&app, visit, &name, &form).await?;
    let act = async { pane_clients::remove(&app, &admin?, &name).await };
    ask.settle("/admin/pane-clients?done=removed", act).await
}

async fn removing(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Remove a pane client", Section::PaneClients).await?;
    Ok(Ask {
        heading: format!("Remove pane client {name}"),
        why: vec![
            "Its tokens end, and the dialogs that it shows are withdrawn. People answer them in the terminal.".into(),
            "Its name stays taken.".into(),
        ],
        action: format!("/admin/pane-clients/{name}/remove"),
        back: "/admin/pane-clients".into(),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}

async fn exists(app: &AppState, name: &str) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let found = stored::list(&mut conn, Some(name)).await?;
    if found.is_empty() { Err(Error::not_found()) } else { Ok(()) }
}
