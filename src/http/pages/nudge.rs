//! `POST /lanes/{name}/nudge`: an approver has a line typed to an agent that is idle; the page says what came of it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::form::Form;
use super::suggest::{Refused, told};
use super::visit::Visit;
use super::{Page, lane, see_other};
use crate::app::AppState;
use crate::domain::access::{self, Verb};
use crate::error::Result;
use crate::flows::supervision::{self, Nudged};
use crate::http::extract::Path;

/// The form, and what came of it.
#[derive(Debug, Default)]
pub struct Nudge {
    /// The keys of the panes that are watched.
    pub panes: Vec<String>,
    /// What is typed where nothing is written.
    pub usual: String,
    /// What came of it, in words.
    pub done: Option<&'static str>,
    /// Why it was not taken.
    pub problem: Option<String>,
    /// The line as typed before.
    pub note: String,
}

impl Nudge {
    /// Whether what came of it is what was wanted.
    pub fn sent(&self) -> bool {
        self.done == done("nudge-sent")
    }
}

/// Whether a person may nudge at a place.
pub(super) fn may(visit: &Visit, place: (Uuid, Uuid)) -> bool {
    access::at_place(visit.person.grants(), Verb::Nudge, place, visit.person.now())
}

/// What came of it, by the word in the page's address.
pub(super) fn done(word: &str) -> Option<&'static str> {
    Some(match word {
        "nudge-sent" => "The line was typed.",
        "nudge-skipped" => "Nothing was typed; what supervision did says why.",
        "nudge-failed" => "It is not known whether the line was typed; what supervision did says why.",
        "nudge-ordered" => "The pane client has not answered yet. What comes of it appears in what supervision did.",
        _ => return None,
    })
}

/// `POST /lanes/{name}/nudge`.
pub async fn submit(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    form: Form,
) -> Result<Response> {
    let given = |field| form.given(field).map(str::to_owned);
    let wish = supervision::Nudge { lane: name.clone(), pane: given("pane"), text: given("note") };
    match supervision::nudge(&app, &visit.person, &wish).await {
        Ok(nudged) => {
            let word = match nudged {
                Nudged::Done(done) => match done.outcome.as_deref() {
                    Some("sent") => "sent",
                    Some("skipped") => "skipped",
                    _ => "failed",
                },
                Nudged::Waiting(_) => "ordered",
            };
            Ok(see_other(&format!("/lanes/{name}?done=nudge-{word}")))
        }
        Err(error) => {
            let (status, problem) = told(error)?;
            let refused = lane::Refused::Nudge(Refused { problem, note: form.get("note") });
            let tried = lane::Tried { done: "", refused: Some(refused) };
            Ok((status, Page(lane::page(&app, &visit, &name, tried).await?)).into_response())
        }
    }
}
