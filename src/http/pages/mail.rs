//! `POST /lanes/{name}/mail`: an approver sends mail to a lane's agents from its page.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::form::Form;
use super::suggest::{Refused, told};
use super::visit::Visit;
use super::{Page, lane, see_other};
use crate::app::AppState;
use crate::domain::access::{self, Verb};
use crate::error::{Error, Result};
use crate::flows::mail::{self, By, Letter};
use crate::http::extract::Path;

/// The form, and what came of it.
#[derive(Debug, Default)]
pub struct Mail {
    /// It was taken.
    pub done: bool,
    /// Why it was not.
    pub problem: Option<String>,
    /// The words as typed before.
    pub note: String,
    /// How it reaches the agent, in words.
    pub way: &'static str,
}

/// The form for somebody who may send, after what was done on its page.
pub(super) fn form(visit: &Visit, place: (Uuid, Uuid), (done, nudges): (&str, bool)) -> Option<Mail> {
    let may = access::at_place(visit.person.grants(), Verb::Mail, place, visit.person.now());
    let way = if nudges {
        "A line tells the agent that there is mail, once it is idle; it reads it in its inbox."
    } else {
        "It is typed to the agent in one line, once it is idle."
    };
    may.then(|| Mail { done: done == "mailed", way, ..Mail::default() })
}

/// `POST /lanes/{name}/mail`.
pub async fn submit(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    form: Form,
) -> Result<Response> {
    let letter = Letter { lane: &name, body: form.get("note"), reply_to: None };
    match mail::send(&app, By::Person(&visit.person), &letter).await.map_err(in_words) {
        Ok(_) => Ok(see_other(&format!("/lanes/{name}?done=mailed"))),
        Err(error) => {
            let (status, problem) = told(error)?;
            let refused = lane::Refused::Mail(Refused { problem, note: form.get("note") });
            let tried = lane::Tried { done: "", refused: Some(refused) };
            Ok((status, Page(lane::page(&app, &visit, &name, tried).await?)).into_response())
        }
    }
}

/// The field's name is the page's matter: people see a text, and no names of fields.
fn in_words(error: Error) -> Error {
    match error {
        Error::Problem(problem) if problem.field.as_deref() == Some("body") => {
            Error::invalid("body", "Write what the agent should read: at most 8 KiB.")
        }
        error => error,
    }
}
