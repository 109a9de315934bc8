//! Signing in.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::form::Form;
use super::frame::Frame;
use super::{Page, local_path, see_other};
use crate::app::AppState;
use crate::auth::source::Client;
use crate::auth::{Person, session};
use crate::error::{Code, Error, Result};
use crate::flows;
use crate::http::extract::Query;

/// `/login`
#[derive(Debug, Template)]
#[template(path = "pages/login.html")]
pub struct Login {
    /// The frame.
    pub frame: Frame,
    /// Where to go afterwards: a path on this server.
    pub next: String,
    /// The name as typed before.
    pub name: String,
    /// Why it did not work.
    pub problem: Option<String>,
    /// Signed out just now, or by somebody else.
    pub notice: Option<String>,
}

/// What a link to the door may say.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    next: String,
    out: String,
}

/// `GET /login`.
pub async fn handle(
    State(app): State<AppState>,
    person: Option<Person>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    let next = local_path(&asked.next);
    if person.is_some() {
        return Ok(see_other(next));
    }
    if !flows::people::is_set_up(&app).await? {
        return Ok(see_other("/setup"));
    }
    let page = Login {
        frame: Frame::outside(&app, "Sign in"),
        next: next.to_owned(),
        name: String::new(),
        problem: None,
        notice: (!asked.out.is_empty()).then(|| "You are signed out.".into()),
    };
    Ok(Page(page).into_response())
}

/// `POST /login`.
pub async fn submit(State(app): State<AppState>, client: Client, headers: HeaderMap, form: Form) -> Result<Response> {
    let carried = session::carried(&app, &headers);
    let name = form.get("username").trim();
    let next = local_path(form.get("next"));
    let problem = match flows::sessions::sign_in(&app, (name, form.get("password").into()), &client, carried).await {
        Ok(opened) => {
            let mut response = see_other(next);
            response.headers_mut().append(header::SET_COOKIE, opened.cookie.header(&app)?);
            return Ok(response);
        }
        Err(Error::Problem(problem)) if matches!(problem.code, Code::WrongCredentials | Code::SlowDown) => problem,
        Err(error) => return Err(error),
    };
    let status = StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::UNAUTHORIZED);
    let page = Login {
        frame: Frame::outside(&app, "Sign in"),
        next: next.to_owned(),
        name: name.to_owned(),
        problem: Some(problem.detail.into_owned()),
        notice: None,
    };
    Ok((status, Page(page)).into_response())
}

/// `POST /logout`: also empties what the browser kept of this site.
pub async fn sign_out(State(app): State<AppState>, person: Option<Person>) -> Result<Response> {
    if let Some(person) = person {
        flows::sessions::sign_out(&app, &person).await?;
    }
    let mut response = see_other("/login?out=1");
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, session::forget(&app)?);
    // Typed words too: they are in the browser's storage, and the next person at this device may be another.
    let clear = HeaderValue::from_static("\"cache\", \"storage\"");
    headers.insert(HeaderName::from_static("clear-site-data"), clear);
    Ok(response)
}
