//! What every request passes through, on one page: ids, limits, the right host, headers that protect people.

use axum::Router;
use axum::extract::DefaultBodyLimit;

use crate::app::AppState;

/// The largest body, in bytes.
pub const BODY_MAX: usize = 256 * 1024;

/// The layers of the public router.
pub fn public(router: Router<AppState>, _app: &AppState) -> Router<AppState> {
    router.layer(DefaultBodyLimit::max(BODY_MAX))
}

/// The layers of the local router.
pub fn local(router: Router<AppState>, _app: &AppState) -> Router<AppState> {
    router.layer(DefaultBodyLimit::max(BODY_MAX))
}
