//! What every request passes through, on one page: ids, limits, the right host, headers that protect people.

mod cross_site;
mod finish;
mod host;
mod panic;
mod trace;
mod trip_wire;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::app::AppState;
use crate::http::{local, pages};

pub use finish::{PROTECTION, RequestId};

/// The largest body, in bytes.
pub const BODY_MAX: usize = 256 * 1024;

/// Longer than the longest poll (45 s) and what its answer may take.
const TIMEOUT: Duration = Duration::from_mins(1);

/// At the machine somebody may have a whole journal proven, which reads all of it.
const LOCAL_TIMEOUT: Duration = Duration::from_hours(1);

/// The layers of the public router, outermost first.
pub fn public(router: Router<AppState>, app: &AppState) -> Router<AppState> {
    router.layer(
        ServiceBuilder::new()
            // Upgraded sockets have no body and pass untouched.
            .layer(CompressionLayer::new())
            .layer(from_fn_with_state(app.clone(), finish::finish))
            .layer(trace::layer())
            .layer(from_fn_with_state(app.clone(), pages::error::show))
            .map_response(finish::explain)
            .layer(CatchPanicLayer::custom(panic::answer))
            .layer(from_fn_with_state(app.clone(), door))
            .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, TIMEOUT))
            .layer(RequestBodyLimitLayer::new(BODY_MAX))
            // The limit above is the only one, so that its answer is the only one.
            .layer(DefaultBodyLimit::disable()),
    )
}

/// The layers of the local router, outermost first.
pub fn local(router: Router<AppState>, app: &AppState) -> Router<AppState> {
    router.layer(
        ServiceBuilder::new()
            .layer(from_fn_with_state(app.clone(), finish::finish))
            .layer(trace::layer())
            .layer(from_fn_with_state(app.clone(), local::pages::error::show))
            .map_response(finish::explain)
            .layer(CatchPanicLayer::custom(panic::answer))
            .layer(from_fn_with_state(app.clone(), trip_wire::check))
            .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LOCAL_TIMEOUT))
            .layer(RequestBodyLimitLayer::new(BODY_MAX))
            .layer(DefaultBodyLimit::disable()),
    )
}

/// Only by our own name, and from no other site.
async fn door(State(app): State<AppState>, request: Request, next: Next) -> Response {
    match host::check(&app, &request).and_then(|()| cross_site::check(&app, &request)) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}
