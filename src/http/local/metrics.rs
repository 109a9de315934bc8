//! `GET /metrics` on the local socket.

use axum::extract::State;

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::error::Result;
use crate::metrics::Readings;
use crate::store;

/// Prometheus' text format.
pub async fn metrics(State(app): State<AppState>, _: LocalPeer) -> Result<String> {
    let mut conn = app.db.acquire().await?;
    let lag = store::tail::lag_seconds(&mut conn).await?;
    let pending = store::proposals::list::count_pending(&mut conn).await?;
    let readings = Readings {
        waiters: app.hub.waiters.count().1,
        sockets: app.hub.sockets(),
        tail_lag_seconds: lag.unwrap_or(0.0),
        pool_size: app.db.size() + app.decisions.size(),
        pool_idle: app.db.num_idle() + app.decisions.num_idle(),
        pending,
    };
    Ok(app.metrics.render(readings))
}
