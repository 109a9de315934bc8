//! A form that changes something: what was typed, who signed it, and the way back to the page when it is refused.

use askama::Template;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::error::{Code, Error, Result};
use crate::http::error::Told;
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::http::pages::setup::Problem;

/// The field with the name of the admin who makes the change.
pub const ADMIN: &str = "admin";

/// The field with their password. The bridge takes it out of the form; no page ever sees it.
pub const PASSWORD: &str = "admin_password";

/// A form as it was sent.
#[derive(Debug)]
pub struct Sent {
    /// The admin, or why they are none.
    pub admin: Result<LocalAdmin>,
    /// What was typed, without the password.
    pub form: Form,
}

impl FromRequest<AppState> for Sent {
    type Rejection = Error;

    async fn from_request(request: Request, app: &AppState) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let admin = <LocalAdmin as FromRequestParts<AppState>>::from_request_parts(&mut parts, app).await;
        let form = Form::from_request(Request::from_parts(parts, body), app).await;
        match (form, admin) {
            (Ok(form), admin) => Ok(Self { admin, form }),
            // Who may change nothing learns nothing about shapes.
            (Err(_), Err(refused)) => Err(refused),
            (Err(misshapen), Ok(_)) => Err(misshapen),
        }
    }
}

/// The page again with what is wrong, for what somebody at the form can mend; everything else stays an error.
pub fn refused<T: Template>(error: Error, page: impl FnOnce(Problem) -> T) -> Result<Response> {
    let problem = match error {
        Error::Problem(problem) if problem.code != Code::NotFound => *problem,
        error => return Err(error),
    };
    let (field, text) = match problem.code {
        Code::Unauthenticated => (PASSWORD, "A change needs an admin's name and password.".to_owned()),
        Code::WrongCredentials | Code::SlowDown => (PASSWORD, problem.detail.to_string()),
        Code::Forbidden => (ADMIN, problem.detail.to_string()),
        _ => (problem.field.as_deref().unwrap_or_default(), problem.detail.to_string()),
    };
    let told = Told { code: problem.code, detail: text.clone() };
    let page = page(Problem { field: field.to_owned(), text });
    let status = StatusCode::from_u16(problem.code.status()).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
    let mut response = (status, Page(page)).into_response();
    // The door's layer writes down who was refused.
    response.extensions_mut().insert(told);
    Ok(response)
}
