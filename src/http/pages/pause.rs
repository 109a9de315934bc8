//! `POST /pause`: the form that holds everything. Only the machine lifts it again.

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::form::Form;
use super::visit::Visit;
use super::{Page, lanes, see_other, suggest};
use crate::app::AppState;
use crate::error::Result;
use crate::flows::supervision::{self, By};

/// `GET` of the form's address, which only a reload asks for.
pub async fn back() -> Response {
    see_other("/lanes")
}

/// `POST /pause`.
pub async fn submit(State(app): State<AppState>, visit: Visit, form: Form) -> Result<Response> {
    let reason = form.get("reason");
    match supervision::pause(&app, By::Person(&visit.person), reason).await {
        Ok(_) => Ok(see_other("/lanes")),
        Err(error) => {
            let (status, problem) = suggest::told(error)?;
            let refused = lanes::Pause { problem: Some(problem), reason: reason.to_owned() };
            Ok((status, Page(lanes::page(&app, &visit, Some(refused)).await?)).into_response())
        }
    }
}
