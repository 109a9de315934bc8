//! The step before saving: what changes, what that would have meant, and an admin's signature; or who was faster.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::draft::{Draft, Place};
use super::edit::{self, author};
use super::filled::form_of;
use super::simulated::{self, Simulated};
use super::words::{self, Change};
use crate::app::AppState;
use crate::domain::policy::diff::diff;
use crate::domain::policy::patch::apply;
use crate::domain::text::{self, Kind, Shown};
use crate::error::{Code, Error, Result};
use crate::flows::policy::{self, Patch};
use crate::http::error::Told;
use crate::http::local::pages::sent::{self, ADMIN, PASSWORD, Sent};
use crate::http::local::pages::visit::{Desk, Section, Visit};
use crate::http::pages::form::Form;
use crate::http::pages::setup::Problem;
use crate::http::pages::when::When;
use crate::http::pages::{Page, see_other};
use crate::store::policies;

/// The review of a change.
#[derive(Debug, Template)]
#[template(path = "admin/review.html")]
pub struct Review {
    /// The frame.
    pub desk: Desk,
    /// What is reviewed.
    pub heading: String,
    /// The version it is made on.
    pub version: i64,
    /// What changes.
    pub changes: Vec<Change>,
    /// What would have been answered differently.
    pub simulated: Simulated,
    /// Where it is saved.
    pub action: String,
    /// The form that it came from, to be sent on.
    pub carried: Vec<(String, String)>,
    /// Where that form is.
    pub back: String,
    /// Why, as typed before.
    pub reason: String,
    /// The admin's name as typed before.
    pub signer: String,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// Somebody was faster.
#[derive(Debug, Template)]
#[template(path = "admin/conflict.html")]
pub struct Conflict {
    /// The frame.
    pub desk: Desk,
    /// The version the change was made on, and the one in force.
    pub versions: (i64, i64),
    /// Who made the one in force, why, and when.
    pub by: (String, Option<Shown>, When),
    /// What they changed.
    pub theirs: Vec<Change>,
    /// What this change would change.
    pub yours: Vec<Change>,
    /// Where the change could be reviewed on top of theirs, and the form for it.
    pub review: (String, Vec<(String, String)>),
    /// The page of what holds now.
    pub back: String,
}

impl Review {
    /// What is wrong with a field; with the change as a whole when the name is empty.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        let known = [ADMIN, PASSWORD, "reason"].contains(&problem.field.as_str());
        let place = if known { problem.field.as_str() } else { "" };
        (place == field).then_some(problem.text.as_str())
    }
}

/// The review, unless the policy has moved on.
pub async fn show(app: &AppState, visit: Visit, draft: &Draft, form: &Form) -> Result<Response> {
    let head = {
        let mut conn = app.db.acquire().await?;
        policies::head(&mut conn).await?.0
    };
    if head != draft.base {
        return conflict(app, visit, draft).await;
    }
    Ok(Page(page(app, visit, draft, form).await?).into_response())
}

/// Saves what was reviewed.
pub async fn save(app: &AppState, visit: Visit, place: Place, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let draft = match Draft::read(app, place.clone(), &form).await? {
        Ok(draft) => draft,
        Err(problem) => {
            admin?;
            return edit::refused(app, visit, (place, &form), problem).await;
        }
    };
    let saved = async {
        let mut fields = draft.fields.clone();
        fields.insert("version".to_owned(), json!(draft.base));
        fields.insert("reason".to_owned(), json!(form.given("reason")));
        fields.insert("lane".to_owned(), json!(place.lane_name()));
        policy::set(app, &admin?, Patch(fields)).await
    };
    match saved.await {
        Ok(_) => Ok(see_other(&format!("{}?done=saved", place.path()))),
        Err(error) if error.code() == Code::VersionConflict => conflict(app, visit, &draft).await,
        Err(error) => {
            let page = page(app, visit, &draft, &form).await?;
            sent::refused(error, |problem| Review { problem: Some(problem), ..page })
        }
    }
}

async fn page(app: &AppState, visit: Visit, draft: &Draft, form: &Form) -> Result<Review> {
    let desk = visit.desk(app, "Review", section(&draft.place)).await?;
    let path = draft.place.path();
    let mut trial = draft.fields.clone();
    trial.insert("lane".to_owned(), json!(draft.place.lane_name()));
    let address = address(&format!("{path}/review"), draft.base, form);
    Ok(Review {
        simulated: simulated::simulate(app, visit, trial, (form, &address)).await?,
        heading: match &draft.place {
            Place::Global => "Review the change".into(),
            Place::Lane(name) => format!("Review the change for lane {name}"),
        },
        version: draft.base,
        changes: words::changes(&draft.differences()),
        action: format!("{path}/save"),
        carried: carried(form),
        back: way_back(&path, draft.base, form),
        reason: form.get("reason").to_owned(),
        signer: desk.signer(form.get(ADMIN)).to_owned(),
        desk,
        problem: None,
    })
}

/// All of the form that makes the change, without who signs it and why.
fn carried(form: &Form) -> Vec<(String, String)> {
    form.carried().into_iter().filter(|(name, _)| ![ADMIN, "reason", "version"].contains(&name.as_str())).collect()
}

/// The form as it was typed; a single reset comes from the page as it is.
fn way_back(path: &str, version: i64, form: &Form) -> String {
    if form.has("reset") { path.to_owned() } else { address(path, version, form) }
}

/// A page with the form in its address.
fn address(path: &str, version: i64, form: &Form) -> String {
    let mut query = form_urlencoded::Serializer::new(format!("{path}?version={version}&"));
    query.extend_pairs(carried(form).iter().filter(|(name, _)| name != "days")).finish()
}

fn section(place: &Place) -> Section {
    match place {
        Place::Global => Section::Supervision,
        Place::Lane(_) => Section::Lanes,
    }
}

/// Theirs and yours, and a way to have yours on top.
async fn conflict(app: &AppState, visit: Visit, draft: &Draft) -> Result<Response> {
    let desk = visit.desk(app, "Changed meanwhile", section(&draft.place)).await?;
    let mut conn = app.db.acquire().await?;
    let (head, theirs) = policies::head(&mut conn).await?;
    let newest =
        policies::history(&mut conn, (Some(head + 1), 1)).await?.into_iter().next().ok_or_else(Error::not_found)?;
    // Only the fields that this change touches; what they changed beside it stays theirs.
    let merged = apply(&theirs, draft.place.lane_name(), &draft.fields).unwrap_or_else(|_| theirs.clone());
    let on_top = form_of(&merged, &draft.place, head);
    let path = draft.place.path();
    let beside = if draft.place == Place::Global { "require_reason" } else { "expect_work" };
    let boxes = ["enabled", beside].map(|name| ("has".to_owned(), name.to_owned()));
    let page = Conflict {
        desk,
        versions: (draft.base, head),
        by: (
            author(&newest.author),
            newest.reason.map(|reason| text::show(&reason, Kind::Prose)),
            visit.reader().when(newest.created_at),
        ),
        theirs: words::changes(&diff(&draft.before, &theirs)),
        yours: words::changes(&draft.differences()),
        review: (format!("{path}/review"), on_top.carried().into_iter().chain(boxes).collect()),
        back: path,
    };
    let mut response = (StatusCode::CONFLICT, Page(page)).into_response();
    let detail = "The policy was changed meanwhile.".to_owned();
    response.extensions_mut().insert(Told { code: Code::VersionConflict, detail });
    Ok(response)
}
