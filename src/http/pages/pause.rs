//! `POST /pause`: the form that holds everything.

use axum::extract::State;
use axum::response::Response;

use super::form::Form;
use super::see_other;
use super::visit::Visit;
use crate::app::AppState;
use crate::error::Result;
use crate::flows::supervision::{self, By};

/// `POST /pause`.
pub async fn submit(State(app): State<AppState>, visit: Visit, form: Form) -> Result<Response> {
    supervision::pause(&app, By::Person(&visit.person), form.get("reason")).await?;
    Ok(see_other("/"))
}
