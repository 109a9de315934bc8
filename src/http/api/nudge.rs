//! `POST /api/v1/supervision/nudge`: a line to an idle agent.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::orders::shape::Order;
use crate::flows::supervision::{self, Nudge, NudgeOutcome, Nudged};
use crate::http::extract::Body;

/// The pane client has not reported yet.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Ordered {
    /// What it is to do.
    pub order: Order,
}

/// `POST /api/v1/supervision/nudge`.
#[utoipa::path(post, path = "/api/v1/supervision/nudge", tag = "supervision", security(("session" = [])), request_body = Nudge,
    responses((status = 200, body = NudgeOutcome), (status = 202, body = Ordered),
        (status = 403, body = crate::http::api::openapi::ProblemShape), (status = 404, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn nudge(State(app): State<AppState>, person: Person, Body(wish): Body<Nudge>) -> Result<Response> {
    Ok(match supervision::nudge(&app, &person, &wish).await? {
        Nudged::Done(outcome) => Json(outcome).into_response(),
        Nudged::Waiting(order) => (StatusCode::ACCEPTED, Json(Ordered { order: *order })).into_response(),
    })
}
