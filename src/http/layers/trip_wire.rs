//! The local socket's own door: what a browser or proxy passed on is refused, and every refusal is written down.

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::auth::local::claimed_name;
use crate::error::{Code, Error, Problem};
use crate::flows::access::{Refusal, refuse};
use crate::http::error::Told;

/// What only browsers and proxies send.
const NAMES: &[&str] = &["origin", "forwarded", "via"];
const PREFIXES: &[&str] = &["sec-fetch-", "x-forwarded-", "cf-", "tailscale-"];

/// 403 for a request that somebody passed on; a journal row for it, and for everybody who had no right to a change.
pub(super) async fn check(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let mut refusal = Refusal {
        peer: request.extensions().get::<LocalPeer>().copied(),
        code: Code::Proxied,
        method: request.method().to_string(),
        route: request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()),
        claimed: claimed_name(request.headers()),
        header: telltale(request.headers()),
    };
    let response = match &refusal.header {
        Some(header) => passed_on(header).into_response(),
        None => next.run(request).await,
    };
    let Some(code) = response.extensions().get::<Told>().map(|told| told.code).filter(|code| is_refusal(*code)) else {
        return response;
    };
    refusal.code = code;
    match refuse(&app, &refusal).await {
        Ok(()) => response,
        Err(error) => error.into_response(),
    }
}

/// Guesses that come too fast have their own row, and only one.
fn is_refusal(code: Code) -> bool {
    matches!(code, Code::Proxied | Code::Unauthenticated | Code::WrongCredentials | Code::Forbidden)
}

fn passed_on(header: &str) -> Error {
    Problem::new(
        Code::Proxied,
        format!("The local socket does not take requests that a browser or proxy passed on (header {header})."),
    )
    .into()
}

fn telltale(headers: &HeaderMap) -> Option<String> {
    headers
        .keys()
        .map(axum::http::HeaderName::as_str)
        .find(|name| NAMES.contains(name) || PREFIXES.iter().any(|start| name.starts_with(start)))
        .map(str::to_owned)
}
