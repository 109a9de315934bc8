//! `POST /api/v1/suggestions`: what an approver would have answered otherwise from now on.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::rules::{self, Suggestion};
use crate::http::extract::Body;
use crate::http::local::Made;

/// `POST /api/v1/suggestions`.
#[utoipa::path(post, path = "/api/v1/suggestions", tag = "supervision", security(("session" = [])), request_body = Suggestion,
    responses((status = 201, body = Made), (status = 403, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape), (status = 429, body = crate::http::api::openapi::ProblemShape)))]
pub async fn suggest(
    State(app): State<AppState>,
    person: Person,
    Body(suggestion): Body<Suggestion>,
) -> Result<(StatusCode, Json<Made>)> {
    let id = rules::suggest(&app, &person, &suggestion).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}
