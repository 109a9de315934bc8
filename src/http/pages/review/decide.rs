//! `POST /p/{id}/decide` and `/reauth`: a form becomes a ruling; whatever goes wrong, what was typed comes back.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::show::{Tried, page};
use crate::app::AppState;
use crate::auth::source::Client;
use crate::domain::answer::Answer;
use crate::domain::ask::QUESTIONS_MAX;
use crate::domain::digest::Digest;
use crate::domain::proposal::Outcome;
use crate::domain::ruling::Ruling;
use crate::error::{Code, Error, Result};
use crate::flows;
use crate::flows::proposals::decide as flow;
use crate::http::extract::Path;
use crate::http::pages::form::Form;
use crate::http::pages::frame::Tab;
use crate::http::pages::reauth::Reauth;
use crate::http::pages::visit::Visit;
use crate::http::pages::{Page, glance, see_other};

/// What came of a ruling.
#[derive(Debug)]
pub(in crate::http::pages) enum Decided {
    /// It counts.
    Done(Response),
    /// Somebody or something else was first: the page that says who.
    TooLate(Response),
    /// It was not taken, and why.
    Refused(Code, String),
}

/// `GET` of a form's address, which only a reload asks for: back to the page.
pub async fn back(Path(id): Path<Uuid>) -> Response {
    see_other(&format!("/p/{id}"))
}

/// `POST /p/{id}/decide`.
pub async fn decide(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, form: Form) -> Result<Response> {
    rule(&app, &visit, id, &form).await
}

/// `POST /p/{id}/reauth`: the same after the password, under a new cookie.
pub async fn reauth(
    State(app): State<AppState>,
    mut visit: Visit,
    client: Client,
    Path(id): Path<Uuid>,
    form: Form,
) -> Result<Response> {
    let cookie = match give_password(&app, &mut visit, &client, &form).await? {
        Ok(cookie) => cookie,
        Err(problem) => return ask_password(&app, &visit, id, &form, Some(problem)).await,
    };
    // From here on the old cookie is worth nothing: every answer carries the new one.
    let mut response = rule(&app, &visit, id, &form).await.unwrap_or_else(IntoResponse::into_response);
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Gives the form's password; the inner error is for the person who typed it.
pub(in crate::http::pages) async fn give_password(
    app: &AppState,
    visit: &mut Visit,
    client: &Client,
    form: &Form,
) -> Result<Result<HeaderValue, String>> {
    let password = form.get("password").into();
    match flows::sessions::reauth(app, &visit.person, password, client).await {
        Ok(cookie) => {
            visit.prove();
            Ok(Ok(cookie.header(app)?))
        }
        Err(Error::Problem(problem)) if problem.code == Code::WrongCredentials => {
            Ok(Err("This is not your password.".into()))
        }
        Err(Error::Problem(problem)) if problem.code == Code::SlowDown => Ok(Err(problem.detail.into_owned())),
        Err(error) => Err(error),
    }
}

async fn rule(app: &AppState, visit: &Visit, id: Uuid, form: &Form) -> Result<Response> {
    let refused = match ruling(form) {
        Ok(ruling) => match decide_with(app, visit, id, &ruling).await? {
            Decided::Done(response) | Decided::TooLate(response) => return Ok(response),
            Decided::Refused(Code::ReauthRequired, _) => return ask_password(app, visit, id, form, None).await,
            Decided::Refused(code, words) => (code, words),
        },
        Err(words) => (Code::Changed, words),
    };
    let (code, words) = refused;
    let tried = Tried { form: Some(form), problem: Some(words), ..Tried::default() };
    Ok((status(code), Page(page(app, visit, id, tried).await?)).into_response())
}

/// Gives the ruling to the flow, and turns what people can do something about into words.
pub(in crate::http::pages) async fn decide_with(
    app: &AppState,
    visit: &Visit,
    id: Uuid,
    ruling: &Ruling,
) -> Result<Decided> {
    let problem = match flow::decide(app, &visit.person, id, ruling).await {
        Ok(_) => return Ok(Decided::Done(see_other(&format!("/p/{id}")))),
        Err(Error::Problem(problem)) => problem,
        Err(error) => return Err(error),
    };
    let field = problem.field.as_deref().unwrap_or_default();
    let words = match problem.code {
        Code::AlreadyDecided | Code::AlreadyFinal | Code::Expired => {
            let tried = Tried { too_late: true, ..Tried::default() };
            let page = page(app, visit, id, tried).await?;
            return Ok(Decided::TooLate((status(problem.code), Page(page)).into_response()));
        }
        Code::Changed => "This is not what you read: it was asked again. Read it once more before you decide.".into(),
        Code::ReasonRequired => "Give a reason.".into(),
        Code::Invalid if field.starts_with("answers") => {
            "Answer every question: choose, or write where your own words are taken.".into()
        }
        Code::Invalid if field == "option" => "Choose the row to press first; it stands above.".into(),
        Code::ReauthRequired | Code::NotModifiable | Code::StandingOption | Code::Invalid => {
            problem.detail.into_owned()
        }
        _ => return Err(Error::Problem(problem)),
    };
    Ok(Decided::Refused(problem.code, words))
}

fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY)
}

/// The form as a ruling; the error is for the person who sent it.
fn ruling(form: &Form) -> Result<Ruling, String> {
    let outcome = match form.get("outcome") {
        "approved" => Outcome::Approved,
        "rejected" => Outcome::Rejected,
        _ => return Err("Press one of the two buttons.".into()),
    };
    let digest = Digest::parse(form.get("digest"));
    Ok(Ruling {
        outcome,
        digest: digest.map_err(|_| "This page is too old. Read it once more before you decide.")?,
        note: form.given("note").map(str::to_owned),
        body: None,
        option: form.get("option").parse().ok().filter(|_| outcome == Outcome::Approved),
        answers: Some(answers(form)).filter(|answers| !answers.is_empty() && outcome == Outcome::Approved),
    })
}

fn answers(form: &Form) -> Vec<Answer> {
    let answer = |question| {
        let choices = form.all(&format!("c{question}"));
        let text = form.given(&format!("t{question}")).map(str::to_owned);
        (!choices.is_empty() || text.is_some()).then_some(Answer { question, choices, text })
    };
    (0..QUESTIONS_MAX).filter_map(answer).collect()
}

/// The page that asks for the password and carries everything else along.
async fn ask_password(
    app: &AppState,
    visit: &Visit,
    id: Uuid,
    form: &Form,
    problem: Option<String>,
) -> Result<Response> {
    let (row, content) = super::open(app, visit, id).await?;
    let found = super::dialog_of(app, &row).await?;
    let (frame, _) = visit.frame(app, "Password", Tab::None).await?;
    let sentence = glance::read(&row, &content, found.as_ref()).sentence;
    let page = Reauth { frame, id: id.to_string(), sentence, fields: form.carried(), problem };
    Ok((status(Code::ReauthRequired), Page(page)).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_becomes_a_ruling() {
        let digest = "ab".repeat(32);
        let form = Form::read(
            format!("digest={digest}&outcome=approved&note=+%0D%0A&c0=a&c2=b&c2=c&t3=own+words&t4=+").as_bytes(),
        );
        let read = ruling(&form).unwrap();
        assert_eq!((read.outcome, read.note.as_deref()), (Outcome::Approved, None));
        let answer = |question, choices: &[&str], text: Option<&str>| Answer {
            question,
            choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
            text: text.map(str::to_owned),
        };
        let want = [answer(0, &["a"], None), answer(2, &["b", "c"], None), answer(3, &[], Some("own words"))];
        assert_eq!(read.answers.unwrap(), want);
        let form = Form::read(format!("digest={digest}&outcome=rejected&c0=a&note=a%0D%0Ab").as_bytes());
        let read = ruling(&form).unwrap();
        assert_eq!((read.answers, read.note.as_deref()), (None, Some("a\nb")));
        for bad in ["outcome=modified&digest=", "outcome=approved&digest=zz", ""] {
            assert!(ruling(&Form::read(bad.as_bytes())).is_err(), "{bad}");
        }
    }
}
