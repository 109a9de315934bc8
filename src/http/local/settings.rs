//! The local settings, and a notice that is sent to try them.

use axum::Json;
use axum::extract::State;

use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::error::Result;
use crate::flows;
use crate::flows::notices::Tried;
use crate::flows::settings::{SettingsPatch, Shown};
use crate::http::extract::Body;

/// `GET /api/v1/settings`.
pub async fn show(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Shown>> {
    flows::settings::show(&app).await.map(Json)
}

/// `PATCH /api/v1/settings`.
pub async fn set(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(patch): Body<SettingsPatch>,
) -> Result<Json<Shown>> {
    flows::settings::set(&app, &admin, patch).await.map(Json)
}

/// `POST /api/v1/settings/test-notice`.
pub async fn test_notice(State(app): State<AppState>, admin: LocalAdmin) -> Result<Json<Tried>> {
    flows::notices::trial(&app, &admin).await.map(Json)
}
