//! One span a request, with its id and route: no query, no headers, nothing that somebody wrote into it.

use axum::extract::{MatchedPath, Request};
use axum::http::Response;
use tower_http::classify::{ServerErrorsAsFailures, SharedClassifier};
use tower_http::trace::{DefaultOnBodyChunk, DefaultOnEos, DefaultOnRequest, TraceLayer};
use tracing::Span;

use super::RequestId;

type Trace = TraceLayer<
    SharedClassifier<ServerErrorsAsFailures>,
    fn(&Request) -> Span,
    DefaultOnRequest,
    fn(&Response<axum::body::Body>, std::time::Duration, &Span),
    DefaultOnBodyChunk,
    DefaultOnEos,
    (),
>;

/// The layer. What fails is logged where it fails, with its cause, so no second line for it here.
pub(super) fn layer() -> Trace {
    TraceLayer::new_for_http()
        .make_span_with(span as fn(&Request) -> Span)
        .on_response(answered as fn(&Response<axum::body::Body>, std::time::Duration, &Span))
        .on_failure(())
}

fn span(request: &Request) -> Span {
    let id = request.extensions().get::<RequestId>();
    let route = request.extensions().get::<MatchedPath>();
    tracing::info_span!(
        "request",
        id = id.map_or("", |id| id.0.as_str()),
        method = %request.method(),
        route = route.map_or("", |path| path.as_str()),
    )
}

fn answered(response: &Response<axum::body::Body>, took: std::time::Duration, _: &Span) {
    let status = response.status().as_u16();
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    tracing::debug!(status, ms, "answered");
}
