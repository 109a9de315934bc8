//! The policy's versions, and the way back to one of them.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use super::draft::Asked;
use super::edit::author;
use super::review::Review;
use super::simulated;
use super::words::{self, Change};
use crate::app::AppState;
use crate::domain::policy::diff::{Difference, diff};
use crate::domain::policy::{Document, file};
use crate::domain::text::{self, Kind, Shown};
use crate::error::{Error, Result};
use crate::flows::policy::{self, Rollback};
use crate::http::extract::{Path, Query};
use crate::http::local::pages::sent::{self, ADMIN, Sent};
use crate::http::local::pages::visit::{Desk, Section, Visit};
use crate::http::pages::form::Form;
use crate::http::pages::when::When;
use crate::http::pages::{Page, see_other};
use crate::store::policies;

/// Versions on one page.
const SHOWN: i64 = 50;

/// `/admin/supervision/history`
#[derive(Debug, Template)]
#[template(path = "admin/history.html")]
pub struct History {
    /// The frame.
    pub desk: Desk,
    /// The versions, newest first.
    pub versions: Vec<Version>,
    /// Where the next page begins.
    pub next: Option<i64>,
}

/// A version in the list.
#[derive(Debug)]
pub struct Version {
    /// Its number.
    pub number: i64,
    /// Who made it.
    pub author: String,
    /// How, where it was not written on this page or at the terminal.
    pub origin: Option<&'static str>,
    /// When.
    pub at: When,
    /// Why.
    pub reason: Option<Shown>,
    /// What it changed.
    pub changes: Vec<Change>,
    /// It is in force.
    pub current: bool,
}

/// Which page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Which {
    before: Option<i64>,
    done: String,
}

/// `GET /admin/supervision/history`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(which): Query<Which>) -> Result<Page<History>> {
    let notice = (which.done == "back").then_some("Done. The earlier policy holds again, as a new version.");
    let desk = visit.desk(&app, "Versions", Section::Supervision).await?.with_notice(notice);
    let found = policy::history(&app, visit.peer, (which.before, SHOWN)).await?;
    let head = {
        let mut conn = app.db.acquire().await?;
        policies::head(&mut conn).await?.0
    };
    let version = |row: policies::VersionRow| Version {
        number: row.version,
        author: author(&row.author),
        origin: match row.origin.as_str() {
            "import" => Some("from a file"),
            "rollback" => Some("back to an earlier one"),
            "suggestion" => Some("from a suggestion"),
            _ => None,
        },
        at: visit.reader().when(row.created_at),
        reason: row.reason.map(|reason| text::show(&reason, Kind::Prose)),
        changes: words::changes(&serde_json::from_value::<Vec<Difference>>(row.diff).unwrap_or_default()),
        current: row.version == head,
    };
    Ok(Page(History { desk, versions: found.items.into_iter().map(version).collect(), next: found.next }))
}

/// `GET /admin/supervision/history/{version}`: what going back to it would change.
pub async fn look(
    State(app): State<AppState>,
    visit: Visit,
    Path(to): Path<i64>,
    Asked(form): Asked,
) -> Result<Page<Review>> {
    Ok(Page(review(&app, visit, to, &form).await?))
}

/// `POST /admin/supervision/history/{version}`: goes back to it.
pub async fn back(State(app): State<AppState>, visit: Visit, Path(to): Path<i64>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let page = review(&app, visit, to, &form).await?;
    let act = async {
        let admin = admin?;
        let version = form.get("version").parse().map_err(|_| Error::invalid("version", "The form has no version."))?;
        let back = Rollback { version, reason: form.given("reason").map(str::to_owned), to };
        policy::rollback(&app, &admin, &back).await
    };
    match act.await {
        Ok(_) => Ok(see_other("/admin/supervision/history?done=back")),
        Err(error) => sent::refused(error, |problem| Review { problem: Some(problem), ..page }),
    }
}

async fn review(app: &AppState, visit: Visit, to: i64, form: &Form) -> Result<Review> {
    let (version, now, then): (i64, Document, Document) = {
        let mut conn = app.db.acquire().await?;
        let (version, now) = policies::head(&mut conn).await?;
        (version, now, policies::document(&mut conn, to).await?.ok_or_else(Error::not_found)?)
    };
    let desk = visit.desk(app, "Go back", Section::Supervision).await?;
    let toml = file::write(&then).map_err(|error| Error::Internal(format!("policy {to}: {error}")))?;
    let trial = [("toml".to_owned(), json!(toml))].into_iter().collect();
    let address = format!("/admin/supervision/history/{to}?to={to}");
    Ok(Review {
        simulated: simulated::simulate(app, visit, trial, (form, &address)).await?,
        heading: format!("Go back to version {to}"),
        version,
        changes: words::changes(&diff(&now, &then)),
        action: format!("/admin/supervision/history/{to}"),
        carried: Vec::new(),
        back: "/admin/supervision/history".into(),
        reason: form.get("reason").to_owned(),
        signer: desk.signer(form.get(ADMIN)).to_owned(),
        desk,
        problem: None,
    })
}
