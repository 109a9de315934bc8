//! Whether the process lives, and whether it can do its work.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use tokio::time::timeout;

use crate::app::AppState;
use crate::error::{Error, Result};
use crate::store;

/// Who probes wants to know soon, also when the database is not gone but silent.
const PATIENCE: Duration = Duration::from_secs(3);

/// `GET /healthz`: the process answers.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers too, and the server is not about to stop.
pub async fn readyz(State(app): State<AppState>) -> Result<(StatusCode, &'static str)> {
    if app.stopping.is_cancelled() {
        return Ok((StatusCode::SERVICE_UNAVAILABLE, "stopping\n"));
    }
    let answers = async {
        let mut conn = app.db.acquire().await?;
        store::now(&mut conn, app.clock.offset_us()).await
    };
    timeout(PATIENCE, answers).await.map_err(|_| Error::Unavailable(sqlx::Error::PoolTimedOut))??;
    Ok((StatusCode::OK, "ready\n"))
}
