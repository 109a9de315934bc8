//! The trip-wire of the local socket: what a browser or a proxy would add is a reason to refuse, and to write it down.

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::error::Error;
use crate::flows;

const NAMES: &[&str] = &["origin", "forwarded", "via"];
const PREFIXES: &[&str] = &["sec-fetch-", "x-forwarded-", "cf-", "tailscale-"];

/// 403, with a journal row, for a request that somebody passed on to the socket.
pub(super) async fn check(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let Some(header) = telltale(request.headers()) else {
        return next.run(request).await;
    };
    let peer = request.extensions().get::<LocalPeer>().copied();
    match flows::access::refuse_proxied(&app, peer.as_ref(), &header).await {
        Ok(problem) => Error::from(problem).into_response(),
        Err(error) => error.into_response(),
    }
}

fn telltale(headers: &HeaderMap) -> Option<String> {
    headers
        .keys()
        .map(axum::http::HeaderName::as_str)
        .find(|name| NAMES.contains(name) || PREFIXES.iter().any(|start| name.starts_with(start)))
        .map(str::to_owned)
}
