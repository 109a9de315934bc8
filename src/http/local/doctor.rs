//! What the server knows of its own health.

use axum::Json;
use axum::extract::State;

use super::Items;
use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::domain::health::Check;
use crate::error::Result;
use crate::flows;

/// `GET /api/v1/doctor`.
pub async fn show(State(app): State<AppState>, peer: LocalPeer) -> Result<Json<Items<Check>>> {
    flows::doctor::check_up(&app, peer).await.map(|items| Json(Items { items }))
}
