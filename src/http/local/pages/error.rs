//! What went wrong with an admin page, said to a person.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::visit::Desk;
use crate::app::AppState;
use crate::auth::mode;
use crate::error::Code;
use crate::http::error::Told;
use crate::http::layers::RequestId;
use crate::http::pages::Page;

/// Any error that somebody at an admin page meets.
#[derive(Debug, Template)]
#[template(path = "admin/error.html")]
pub struct Failed {
    /// The frame.
    pub desk: Desk,
    /// A short title.
    pub heading: &'static str,
    /// What happened and what can be done.
    pub detail: String,
    /// The id under which the log knows more.
    pub request_id: String,
}

/// Makes a page of every problem of an admin page; what programs call on this socket stays as it is.
pub async fn show(State(_): State<AppState>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_page = path == "/admin" || path.starts_with("/admin/");
    let request_id = request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default();
    let response = next.run(request).await;
    let is_html =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let Some(told) = response.extensions().get::<Told>().filter(|_| is_page && !is_html) else { return response };
    let detail = if told.code == Code::NotFound {
        "It was removed, or the address is mistyped.".to_owned()
    } else {
        told.detail.clone()
    };
    let heading = told.code.title();
    let desk = Desk { title: heading.to_owned(), same_user: mode::same_user_warning(), ..Desk::default() };
    let page = Page(Failed { desk, heading, detail, request_id }).into_response();
    let (mut parts, _) = response.into_parts();
    let (mut rendered, body) = page.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    if let Some(html) = rendered.headers.remove(header::CONTENT_TYPE) {
        parts.headers.insert(header::CONTENT_TYPE, html);
    }
    Response::from_parts(parts, body)
}
