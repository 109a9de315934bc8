//! The pause at the machine: on, off, and whether it is.

use axum::Json;
use axum::extract::State;

use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::error::Result;
use crate::flows::supervision::{self, By, Paused};
use crate::http::api::pause::Why;
use crate::http::extract::Body;

/// `GET /api/v1/pause`.
pub async fn show(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Paused>> {
    supervision::state(&app).await.map(Json)
}

/// `POST /api/v1/pause`.
pub async fn on(State(app): State<AppState>, admin: LocalAdmin, Body(why): Body<Why>) -> Result<Json<Paused>> {
    supervision::pause(&app, By::Admin(&admin), &why.reason).await.map(Json)
}

/// `DELETE /api/v1/pause`.
pub async fn off(State(app): State<AppState>, admin: LocalAdmin) -> Result<Json<Paused>> {
    supervision::resume(&app, &admin).await.map(Json)
}
