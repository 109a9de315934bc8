//! Whether the process lives, and whether it can do its work.

use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::error::Result;
use crate::store;

/// `GET /healthz`: the process answers.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers too, and the server is not about to stop.
pub async fn readyz(State(app): State<AppState>) -> Result<(StatusCode, &'static str)> {
    if app.stopping.is_cancelled() {
        return Ok((StatusCode::SERVICE_UNAVAILABLE, "stopping\n"));
    }
    let mut conn = app.db.acquire().await?;
    store::now(&mut conn, app.clock.offset_us()).await?;
    Ok((StatusCode::OK, "ready\n"))
}
