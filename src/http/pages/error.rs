//! What went wrong, said to a person, with a way on; and the one layer that says it so on every page.

use askama::Template;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::form::{Form, is_form};
use super::frame::{Frame, Tab};
use super::visit::Visit;
use super::{Page, see_other};
use crate::app::AppState;
use crate::error::{Code, Result};
use crate::http::error::Told;
use crate::http::extract::too_large;
use crate::http::layers::{BODY_MAX, RequestId};

/// Any error that a browser meets.
#[derive(Debug, Template)]
#[template(path = "pages/error.html")]
pub struct Failed {
    /// The frame.
    pub frame: Frame,
    /// The status.
    pub status: u16,
    /// A short title.
    pub heading: String,
    /// What happened and what can be done.
    pub detail: String,
    /// The id under which the log knows more.
    pub request_id: String,
    /// What was sent and not taken: where to, and the fields.
    pub unsent: Option<Unsent>,
}

/// A form that was not taken, kept so that it can be sent again.
#[derive(Debug)]
pub struct Unsent {
    /// Where it goes.
    pub action: String,
    /// Its fields, secrets left out.
    pub fields: Vec<(String, String)>,
    /// Signing in comes first.
    pub signed_out: bool,
}

impl Failed {
    /// Trying again may help.
    pub fn passing(&self) -> bool {
        matches!(self.status, 429 | 500..)
    }
}

/// Addresses that programs call; everything else on TCP is for people.
const FOR_PROGRAMS: &[&str] = &["/api/", "/mcp", "/healthz", "/readyz", "/openapi.json", "/static/"];

/// Makes a page of every problem that a person meets, and sends those who are signed out to the door.
pub async fn show(State(app): State<AppState>, request: Request, next: Next) -> Response {
    if !is_for_a_person(&request) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let (form, response) = match keep(&parts, body).await {
        Ok((form, body)) => (form, next.run(Request::from_parts(parts.clone(), body)).await),
        Err(error) => (Form::default(), error.into_response()),
    };
    let Some(told) = response.extensions().get::<Told>().cloned() else { return response };
    let unsent = (!form.carried().is_empty() && form.has_words()).then(|| Unsent {
        action: parts.uri.path().to_owned(),
        fields: form.carried(),
        signed_out: told.code == Code::Unauthenticated,
    });
    if told.code == Code::Unauthenticated && unsent.is_none() {
        return see_other(&door(&parts));
    }
    let page = Failed {
        frame: frame(&app, parts.clone(), &told).await,
        status: told.code.status(),
        heading: told.code.title().to_owned(),
        detail: told.detail,
        request_id: parts.extensions.get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default(),
        unsent,
    };
    as_answer(page, response)
}

/// A browser that goes somewhere asks for HTML; a page's own address is one even for those who do not say.
fn is_for_a_person(request: &Request) -> bool {
    let path = request.uri().path();
    if FOR_PROGRAMS.iter().any(|start| path.starts_with(start)) {
        return false;
    }
    let said = |name| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let accept = said(header::ACCEPT);
    if accept.contains("text/html") {
        return true;
    }
    let known = request.extensions().get::<MatchedPath>().is_some();
    let json = accept.contains("json") || said(header::CONTENT_TYPE).starts_with("application/json");
    known && !json
}

/// Reads a form so that it outlives a refusal.
async fn keep(parts: &Parts, body: Body) -> Result<(Form, Body)> {
    if parts.method.is_safe() || !is_form(&parts.headers) {
        return Ok((Form::default(), body));
    }
    match to_bytes(body, BODY_MAX).await {
        Ok(bytes) => Ok((Form::read(&bytes), Body::from(bytes))),
        Err(_) => Err(too_large()),
    }
}

/// The sign-in page, with the way back.
fn door(parts: &Parts) -> String {
    let path = parts.uri.path();
    let back = if parts.method == Method::GET {
        parts.uri.path_and_query().map_or(path, axum::http::uri::PathAndQuery::as_str).to_owned()
    } else {
        page_of(path)
    };
    if back == "/" {
        return "/login".into();
    }
    let query: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
    format!("/login?next={query}")
}

/// The page that a form stands on.
fn page_of(action: &str) -> String {
    let mut parts = action.split('/').skip(1);
    match (parts.next(), parts.next()) {
        (Some("p"), Some(id)) => format!("/p/{id}"),
        (Some("account"), _) => "/account".into(),
        _ => "/".into(),
    }
}

/// With the way to the other pages, where that costs no new fault.
async fn frame(app: &AppState, mut parts: Parts, told: &Told) -> Frame {
    let outside = Frame::outside(app, told.code.title());
    if matches!(told.code, Code::Unauthenticated | Code::Unavailable | Code::Internal) {
        return outside;
    }
    let Ok(visit) = Visit::from_request_parts(&mut parts, app).await else { return outside };
    visit.frame(app, told.code.title(), Tab::None).await.map_or(outside, |(frame, _)| frame)
}

/// The page under the problem's status and headers: a cookie that was set on the way stays set.
fn as_answer(page: Failed, problem: Response) -> Response {
    let (mut parts, _) = problem.into_parts();
    let (mut rendered, body) = Page(page).into_response().into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    if let Some(html) = rendered.headers.remove(header::CONTENT_TYPE) {
        parts.headers.insert(header::CONTENT_TYPE, html);
    }
    Response::from_parts(parts, body)
}
