//! Supervision from afar: read, never set (contract, section 6).

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::AppState;
use crate::auth::reader::Reader;
use crate::error::Result;
use crate::flows::policy::{self, View};
use crate::http::extract::Query;

/// Of which lane.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OfLane {
    /// Only this lane; an agent's own in any case.
    pub lane: Option<String>,
}

/// `GET /api/v1/supervision`: what is answered automatically.
#[utoipa::path(get, path = "/api/v1/supervision", tag = "supervision", security(("session" = []), ("agent" = [])),
    params(OfLane), responses((status = 200, body = View), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn show(State(app): State<AppState>, reader: Reader, Query(of): Query<OfLane>) -> Result<Json<View>> {
    policy::view(&app, &reader, of.lane.as_deref()).await.map(Json)
}
