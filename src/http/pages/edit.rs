//! Approving with an edit: the text, and what the edit changes.

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::form::Form;
use super::frame::{Frame, Tab};
use super::review::{self, Decided, Gesture};
use super::visit::Visit;
use super::{Page, glance, see_other, words};
use crate::app::AppState;
use crate::auth::source::Client;
use crate::domain::diff::Diff;
use crate::domain::digest::Digest;
use crate::domain::proposal::Outcome;
use crate::domain::risk::Risk;
use crate::domain::ruling::Ruling;
use crate::domain::text::{Kind, show};
use crate::error::{Code, Result};
use crate::http::extract::Path;
use crate::store::proposals::{Content, Row};

/// `/p/{id}/edit`
#[derive(Debug, Template)]
#[template(path = "pages/edit.html")]
pub struct Edit {
    /// The frame.
    pub frame: Frame,
    /// The proposal's id.
    pub id: String,
    /// The digest that a decision echoes.
    pub digest: String,
    /// The lane's name.
    pub lane: String,
    /// How much a wrong approval could cost.
    pub risk: Risk,
    /// The text as edited so far.
    pub body: String,
    /// What the edit changes; `None` while it changes nothing.
    pub diff: Option<Diff>,
    /// The text has characters that a text field does not show.
    pub unseen: bool,
    /// What approving takes.
    pub gesture: Gesture,
    /// A reason is needed.
    pub reason: bool,
    /// The note as typed before.
    pub note: String,
    /// Why the last try did not work.
    pub problem: Option<String>,
}

impl Edit {
    /// The risk in words.
    pub fn risk_word(&self) -> &'static str {
        words::risk(self.risk)
    }

    /// How many rows the field begins with: room for the text, and little more.
    pub fn rows(&self) -> usize {
        (self.body.lines().count() + 2).clamp(6, 16)
    }
}

/// `GET /p/{id}/edit`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Response> {
    let (row, content) = review::open(&app, &visit, id).await?;
    if !review::may_edit(&visit, &row, &content) {
        return Ok(see_other(&format!("/p/{id}")));
    }
    let body = content.body.clone().unwrap_or_default();
    let tried = Tried { body: &body, note: "", problem: None };
    Ok(Page(page(&app, &visit, (&row, &content), tried).await?).into_response())
}

/// `POST /p/{id}/edit`: shows what the edit changes, or approves it.
pub async fn submit(
    State(app): State<AppState>,
    mut visit: Visit,
    client: Client,
    Path(id): Path<Uuid>,
    form: Form,
) -> Result<Response> {
    let (row, content) = review::open(&app, &visit, id).await?;
    let proposed = content.body.as_deref().unwrap_or_default();
    let body = with_ends_of(proposed, form.get("body"));
    let tried = Tried { body: &body, note: form.get("note"), problem: None };
    if form.get("step") != "approve" {
        return Ok(Page(page(&app, &visit, (&row, &content), tried).await?).into_response());
    }
    let stored = (&row, &content);
    if body == proposed {
        let problem = "You have changed nothing. Edit the text, or go back and approve it as it is.";
        return again(&app, &visit, stored, tried.but(problem)).await;
    }
    let Ok(digest) = Digest::parse(form.get("digest")) else {
        let problem = "This page is too old. Go back and read the proposal once more.";
        return again(&app, &visit, stored, tried.but(problem)).await;
    };
    let cookie = match form.given("password") {
        None => None,
        Some(_) => match review::give_password(&app, &mut visit, &client, &form).await? {
            Ok(cookie) => Some(cookie),
            Err(problem) => return again(&app, &visit, stored, tried.but(problem)).await,
        },
    };
    let note = form.given("note").map(str::to_owned);
    let ruling =
        Ruling { outcome: Outcome::Modified, digest, note, body: Some(body.clone()), option: None, answers: None };
    let decided = match review::decide_with(&app, &visit, id, &ruling).await {
        Ok(Decided::Done(response) | Decided::TooLate(response)) => Ok(response),
        Ok(Decided::Refused(Code::ReauthRequired, _)) => {
            again(&app, &visit, stored, tried.but("Give your password, too.")).await
        }
        Ok(Decided::Refused(_, words)) => again(&app, &visit, stored, tried.but(words)).await,
        Err(error) => Err(error),
    };
    let mut response = decided.unwrap_or_else(IntoResponse::into_response);
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// What was typed so far.
struct Tried<'a> {
    body: &'a str,
    note: &'a str,
    problem: Option<String>,
}

impl Tried<'_> {
    fn but(self, problem: impl Into<String>) -> Self {
        Self { problem: Some(problem.into()), ..self }
    }
}

/// The page as it was sent, with what was wrong.
async fn again(app: &AppState, visit: &Visit, stored: (&Row, &Content), tried: Tried<'_>) -> Result<Response> {
    let page = page(app, visit, stored, tried).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(page)).into_response())
}

async fn page(app: &AppState, visit: &Visit, (row, content): (&Row, &Content), tried: Tried<'_>) -> Result<Edit> {
    let (frame, _) = visit.frame(app, "Edit", Tab::None).await?;
    let proposed = content.body.as_deref().unwrap_or_default();
    Ok(Edit {
        frame,
        id: row.id.to_string(),
        digest: hex::encode(&row.digest),
        lane: row.lane.clone(),
        risk: Risk::from_word(&row.risk),
        body: tried.body.to_owned(),
        diff: (tried.body != proposed).then(|| glance::edit(proposed, tried.body)),
        unseen: !show(tried.body, Kind::Document).warnings.is_empty(),
        gesture: review::gesture(visit, row),
        reason: row.requirement.reason,
        note: tried.note.to_owned(),
        problem: tried.problem,
    })
}

/// Browsers send every line end alike; a text that had other ones keeps them.
fn with_ends_of(proposed: &str, typed: &str) -> String {
    let all_crlf = proposed.contains("\r\n") && proposed.matches('\n').count() == proposed.matches("\r\n").count();
    if all_crlf { typed.replace('\n', "\r\n") } else { typed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::with_ends_of;

    #[test]
    fn line_ends_stay_those_of_the_text() {
        assert_eq!(with_ends_of("a\r\nb\r\n", "a\nc\n"), "a\r\nc\r\n");
        assert_eq!(with_ends_of("a\nb\r\n", "a\nb\n"), "a\nb\n");
        assert_eq!(with_ends_of("", "a\n"), "a\n");
    }
}
