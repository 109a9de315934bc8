//! The first admin, with the one-time code that the server printed.

use askama::Template;
use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::form::{Form, is_form};
use super::frame::Frame;
use super::{Page, see_other};
use crate::app::AppState;
use crate::auth::source::Client;
use crate::domain::name::Name;
use crate::error::{Code, Error, Result};
use crate::flows;
use crate::flows::people::SetUp;
use crate::http::api;
use crate::http::extract::Body;

/// `/setup`
#[derive(Debug, Template)]
#[template(path = "pages/setup.html")]
pub struct Setup {
    /// The frame.
    pub frame: Frame,
    /// The code as typed before; the script takes it from the address.
    pub code: String,
    /// The name as typed before.
    pub name: String,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// What is wrong with a form.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The field's name; empty when it is none.
    pub field: String,
    /// In words.
    pub text: String,
}

impl Setup {
    /// What is wrong with a field, or with no field when the name is empty.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        self.problem.as_ref().filter(|problem| problem.field == field).map(|problem| problem.text.as_str())
    }
}

/// `GET /setup`, while there is nobody.
pub async fn handle(State(app): State<AppState>) -> Result<Page<Setup>> {
    if flows::people::is_set_up(&app).await? {
        return Err(Error::not_found());
    }
    Ok(Page(page(&app, &Form::default(), None)))
}

/// `POST /setup`: a form of the page above, or JSON.
pub async fn submit(State(app): State<AppState>, client: Client, request: Request) -> Result<Response> {
    // Whatever is sent: once there is somebody, nothing is here.
    if flows::people::is_set_up(&app).await? {
        return Err(Error::not_found());
    }
    if !is_form(request.headers()) {
        let body = Body::from_request(request, &app).await?;
        return api::setup::set_up(State(app), client, body).await;
    }
    let form = Form::from_request(request, &app).await?;
    let problem = match Name::parse(form.get("username")) {
        Ok(name) => {
            let code = form.get("code").trim().trim_start_matches('#').into();
            // A zone that only the browser knows is no reason to turn somebody away.
            let time_zone = form.given("time_zone").filter(|zone| zone.parse::<chrono_tz::Tz>().is_ok());
            let password = form.get("password").into();
            let wish = SetUp { code, name, password, time_zone: time_zone.map(str::to_owned) };
            match flows::people::set_up(&app, wish, &client).await {
                Ok(opened) => {
                    let mut response = see_other("/");
                    response.headers_mut().append(header::SET_COOKIE, opened.cookie.header(&app)?);
                    return Ok(response);
                }
                Err(error) => problem(error)?,
            }
        }
        Err(bad) => Problem { field: "username".into(), text: sentence(&bad.to_string()) },
    };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(page(&app, &form, Some(problem)))).into_response())
}

fn page(app: &AppState, form: &Form, problem: Option<Problem>) -> Setup {
    Setup {
        frame: Frame::outside(app, "Set up"),
        code: form.get("code").to_owned(),
        name: form.get("username").to_owned(),
        problem,
    }
}

/// What somebody at the form can mend; everything else stays an error.
fn problem(error: Error) -> Result<Problem> {
    match error {
        Error::Problem(problem) if matches!(problem.code, Code::WrongCredentials | Code::WeakPassword) => {
            let field = problem.field.as_deref().unwrap_or_default().to_owned();
            Ok(Problem { field, text: problem.detail.into_owned() })
        }
        error => Err(error),
    }
}

/// Words of an error as a sentence.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}
