//! Pages for people: whole without script. A page is a plain view struct beside its handlers, and a template of its name.

pub mod account;
pub mod assets;
pub mod audit;
pub mod edit;
pub mod error;
pub mod frame;
pub mod history;
pub mod inbox;
pub mod lane;
pub mod lanes;
pub mod login;
pub mod reauth;
pub mod review;
pub mod setup;
pub mod when;
pub mod words;

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::Error;

/// A page as an answer.
#[derive(Debug)]
pub struct Page<T>(pub T);

impl<T: Template> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        match self.0.render() {
            Ok(html) => (StatusCode::OK, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
            Err(cause) => Error::Internal(format!("a page does not render: {cause}")).into_response(),
        }
    }
}
