//! `POST /p/{id}/suggest` and `/lanes/{name}/suggest`: what an approver would have answered otherwise from now on. It waits
//! for the admin at the machine, and the page says so.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use uuid::Uuid;

use super::form::Form;
use super::visit::Visit;
use super::{Page, lane, review, see_other};
use crate::app::AppState;
use crate::domain::access::{self, Verb};
use crate::domain::rule::SuggestionKind;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::rules::{self, Suggestion};
use crate::http::extract::Path;

/// The form, and what came of it.
#[derive(Debug, Default)]
pub struct Suggest {
    /// Where it is sent.
    pub action: String,
    /// A rule could be made of what the page shows.
    pub rule: bool,
    /// It was taken.
    pub done: bool,
    /// Why it was not.
    pub problem: Option<String>,
    /// The words as typed before.
    pub note: String,
}

impl Suggest {
    /// The form after something was done on its page.
    pub(super) fn after(self, done: &str, refused: Option<Refused<'_>>) -> Self {
        match refused {
            Some(Refused { problem, note }) => Self { problem: Some(problem), note: note.to_owned(), ..self },
            None => Self { done: done == "suggested", ..self },
        }
    }
}

/// Where a reader comes from: an address after a form was taken.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Came {
    /// What was just done.
    pub done: String,
}

/// A form that was not taken: why, and what was typed.
#[derive(Debug)]
pub struct Refused<'a> {
    /// In words.
    pub problem: String,
    /// As typed.
    pub note: &'a str,
}

/// Whether a person may suggest at a place.
pub(super) fn may(visit: &Visit, place: (Uuid, Uuid)) -> bool {
    access::at_place(visit.person.grants(), Verb::Suggest, place, visit.person.now())
}

/// What a person can do something about, in words; everything else is a page of its own.
pub(super) fn told(error: Error) -> Result<(StatusCode, String)> {
    match error {
        Error::Problem(problem) if is_for_the_form(&problem) => {
            let status = StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
            Ok((status, problem.detail.into_owned()))
        }
        error => Err(error),
    }
}

fn is_for_the_form(problem: &Problem) -> bool {
    matches!(
        problem.code,
        Code::Invalid | Code::ReasonRequired | Code::TooManyPending | Code::QueueFull | Code::SlowDown
    )
}

/// `POST /p/{id}/suggest`.
pub async fn at_dialog(
    State(app): State<AppState>,
    visit: Visit,
    Path(id): Path<Uuid>,
    form: Form,
) -> Result<Response> {
    let kind = SuggestionKind::from_word(form.get("kind")).unwrap_or(SuggestionKind::Policy);
    let suggestion = Suggestion { kind, text: form.get("note").to_owned(), proposal_id: Some(id) };
    match checked(rules::suggest(&app, &visit.person, &suggestion).await) {
        Ok(_) => Ok(see_other(&format!("/p/{id}?done=suggested"))),
        Err(error) => {
            let (status, problem) = told(error)?;
            let refused = Refused { problem, note: form.get("note") };
            Ok((status, Page(review::refused(&app, &visit, id, refused).await?)).into_response())
        }
    }
}

/// `POST /lanes/{name}/suggest`. The lane's name goes into the words: it is what the admin has to know.
pub async fn at_lane(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    form: Form,
) -> Result<Response> {
    lane::find(&app, &visit, &name).await?;
    let text = form.given("note").map(|note| format!("Lane {name}: {note}")).unwrap_or_default();
    let suggestion = Suggestion { kind: SuggestionKind::Policy, text, proposal_id: None };
    match checked(rules::suggest(&app, &visit.person, &suggestion).await) {
        Ok(_) => Ok(see_other(&format!("/lanes/{name}?done=suggested"))),
        Err(error) => {
            let (status, problem) = told(error)?;
            let refused = lane::Refused::Suggestion(Refused { problem, note: form.get("note") });
            Ok((status, Page(lane::page(&app, &visit, &name, lane::Tried { done: "", refused: Some(refused) }).await?))
                .into_response())
        }
    }
}

/// The field's name is the page's matter: people see a text, and no names of fields.
fn checked(done: Result<Uuid>) -> Result<Uuid> {
    done.map_err(|error| match error {
        Error::Problem(problem) if problem.field.as_deref() == Some("text") => {
            Error::invalid("text", "Write in 1 to 2000 characters what should be answered how, and why.")
        }
        error => error,
    })
}
