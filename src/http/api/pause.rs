//! `POST /api/v1/pause`: everything is held, with one tap and a reason; only the machine lets it go on.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::supervision::{self, By, Paused};
use crate::http::extract::Body;

/// Why.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Why {
    /// The reason, for whoever lifts it.
    pub reason: String,
}

/// `POST /api/v1/pause`.
#[utoipa::path(post, path = "/api/v1/pause", tag = "supervision", security(("session" = [])), request_body = Why,
    responses((status = 200, body = Paused), (status = 403, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn pause(State(app): State<AppState>, person: Person, Body(why): Body<Why>) -> Result<Json<Paused>> {
    supervision::pause(&app, By::Person(&person), &why.reason).await.map(Json)
}
