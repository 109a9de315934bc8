//! The local settings.

use axum::Json;
use axum::extract::State;

use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::settings::Settings;
use crate::error::Result;
use crate::flows;
use crate::flows::settings::SettingsPatch;
use crate::http::extract::Body;
use crate::store::instance;

/// `GET /api/v1/settings`.
pub async fn show(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Settings>> {
    let mut conn = app.db.acquire().await?;
    Ok(Json(instance::settings(&mut conn).await?))
}

/// `PATCH /api/v1/settings`.
pub async fn set(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(patch): Body<SettingsPatch>,
) -> Result<Json<Settings>> {
    flows::settings::set(&app, &admin, patch).await.map(Json)
}
