//! Supervision from afar: read, never set (contract, section 6).

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::AppState;
use crate::auth::reader::Reader;
use crate::error::Result;
use crate::flows::policy::{self, View};
use crate::flows::supervision::{self, Entries, SupervisionStatus};
use crate::http::api::proposals::page_size;
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

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only this lane; an agent's own in any case.
    pub lane: Option<String>,
    /// At most so many, 1 to 200; 50 when absent.
    pub limit: Option<i64>,
    /// Only those with a lower id.
    pub before: Option<i64>,
}

/// `GET /api/v1/supervision/audit`: what supervision did, newest first.
#[utoipa::path(get, path = "/api/v1/supervision/audit", tag = "supervision", security(("session" = []), ("agent" = [])),
    params(Which), responses((status = 200, body = Entries), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn audit(State(app): State<AppState>, reader: Reader, Query(which): Query<Which>) -> Result<Json<Entries>> {
    let page = (which.before, page_size(which.limit)?);
    supervision::audit(&app, &reader, which.lane.as_deref(), page).await.map(Json)
}

/// `GET /api/v1/supervision/status`: the switches, and what was last done in each lane.
#[utoipa::path(get, path = "/api/v1/supervision/status", tag = "supervision", security(("session" = []), ("agent" = [])),
    responses((status = 200, body = SupervisionStatus)))]
pub async fn status(State(app): State<AppState>, reader: Reader) -> Result<Json<SupervisionStatus>> {
    supervision::status(&app, &reader).await.map(Json)
}
