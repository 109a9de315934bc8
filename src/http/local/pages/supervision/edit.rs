//! The page on which the policy is written: for all lanes, or for one.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::draft::Place;
use super::filled;
use super::grid::{self, Row};
use crate::app::AppState;
use crate::domain::policy::{Effective, Global};
use crate::error::Result;
use crate::http::local::pages::visit::{Desk, Section, Visit};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::http::pages::setup::Problem;
use crate::http::pages::when::When;
use crate::store::policies;

/// `/admin/supervision` and `/admin/lanes/{name}`
#[derive(Debug, Template)]
#[template(path = "admin/supervision.html")]
pub struct Edit {
    /// The frame.
    pub desk: Desk,
    /// Of which part.
    pub place: Place,
    /// What the form has.
    pub form: Form,
    /// The version that the form was made on.
    pub version: String,
    /// The version in force: its number, who made it, when.
    pub head: (i64, String, When),
    /// The nine classes.
    pub rows: Vec<Row>,
    /// What holds where a lane does not say otherwise.
    pub defaults: Global,
    /// What holds for the lane.
    pub effective: Option<Effective>,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

impl Edit {
    /// The page with a form.
    pub async fn new(app: &AppState, visit: Visit, place: Place, form: &Form) -> Result<Self> {
        let (title, section) = match &place {
            Place::Global => ("Supervision".to_owned(), Section::Supervision),
            Place::Lane(name) => (format!("Lane {name}"), Section::Lanes),
        };
        let desk = visit.desk(app, &title, section).await?;
        let mut conn = app.db.acquire().await?;
        let (version, document) = policies::head(&mut conn).await?;
        let newest = policies::history(&mut conn, (Some(version + 1), 1)).await?.into_iter().next();
        let base = match form.get("version").parse() {
            Ok(base) => policies::document(&mut conn, base).await?.map(|then| (base, then)),
            Err(_) => None,
        };
        let (base, then) = base.unwrap_or_else(|| (version, document.clone()));
        let form = filled::filled(form, &then, &place, base);
        let author = newest.as_ref().map(|row| author(&row.author)).unwrap_or_default();
        let at = newest.map(|row| visit.reader().when(row.created_at)).unwrap_or_default();
        Ok(Self {
            desk,
            rows: grid::rows(&form, &document, place != Place::Global),
            effective: place.lane_name().map(|lane| document.resolve(lane)),
            defaults: document.supervision,
            version: base.to_string(),
            head: (version, author, at),
            form,
            place,
            problem: None,
        })
    }

    /// What is wrong with a field; with an entry of a list, too. The empty name takes what belongs to no field.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        let name = problem.field.split('[').next().unwrap_or_default();
        let known = self.rows.iter().any(|row| row.field == name) || FIELDS.contains(&name);
        let place = if known { name } else { "" };
        (place == field).then_some(problem.text.as_str())
    }

    /// Whether a box is ticked.
    pub fn is_on(&self, name: &str) -> bool {
        !self.form.get(name).is_empty()
    }

    /// Whether a lane has a field of its own, which could be reset.
    pub fn is_own(&self, name: &str) -> bool {
        self.place != Place::Global && self.form.given(name).is_some()
    }

    /// The review of letting a field inherit again.
    pub fn reset(&self, name: &str) -> String {
        format!("{}/review?version={}&reset={name}", self.place.path(), self.version)
    }
}

const FIELDS: &[&str] = &["nudge_text", "stall_mins", "nudge_retries", "network_hosts", "high_actions", "mail_mode"];

/// `admin:ada` is said as `ada`.
pub fn author(actor: &str) -> String {
    actor.rsplit(':').next().unwrap_or(actor).to_owned()
}

/// The form again, with what is wrong.
pub async fn refused(
    app: &AppState,
    visit: Visit,
    (place, form): (Place, &Form),
    problem: Problem,
) -> Result<Response> {
    let page = Edit { problem: Some(problem), ..Edit::new(app, visit, place, form).await? };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(page)).into_response())
}

/// The form again: it says what holds already.
pub async fn unchanged(app: &AppState, visit: Visit, place: Place, form: &Form) -> Result<Response> {
    let mut page = Edit::new(app, visit, place, form).await?;
    page.desk.notice = Some("Nothing differs from what holds. There is nothing to save.");
    Ok(Page(page).into_response())
}
