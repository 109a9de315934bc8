//! A request gets its id; an answer gets that id, its words, and the headers that protect people.

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::app::{App, AppState};
use crate::auth::source::{Peer, source};
use crate::error::{Code, Error, Problem};
use crate::http::error::Told;
use crate::http::extract::too_large;

/// The id under which the log knows this request.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Our own scripts and styles, nothing inline, nothing from elsewhere, no frames, no script-made markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// Headers that protect people, on every answer to a browser.
pub const PROTECTION: &[(&str, &str)] = &[
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    // With `no-referrer` a browser calls a form's origin `null`, and on plain http nothing else tells where it comes from.
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// One year.
const TRANSPORT: &str = "max-age=31536000";

/// Gives the request an id of ours, whatever id it came with; gives the answer its words, the id and the protection.
///
/// One layer for all of it, because each costs every request a boxed future.
pub(super) async fn finish(State(app): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = app.ids.new_id(app.clock.now()).simple().to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    let peer = request.extensions().get::<Peer>().copied();
    // Only where a proxy is trusted do headers know more of the source than the connection.
    let headers = if app.trusted_proxies.is_empty() { HeaderMap::new() } else { request.headers().clone() };
    let response = next.run(request).await;
    if let Some(told) = response.extensions().get::<Told>() {
        app.metrics.problem(told.code.as_str());
        if matches!(told.code.status(), 401 | 403 | 421 | 429) {
            tracing::info!(id, code = told.code.as_str(), source = source(&app, peer, &headers), "refused");
        }
    }
    let mut response = name_the_request(response, &id).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    protect(&app, response.headers_mut());
    response
}

/// Every problem says under which id the log has its cause.
async fn name_the_request(response: Response, id: &str) -> Response {
    if !is_problem(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Ours are small and already in memory.
    let bytes = to_bytes(body, 1024 * 1024).await.unwrap_or_default();
    let body = match serde_json::from_slice::<Value>(&bytes) {
        Ok(Value::Object(mut members)) => {
            members.insert("request_id".into(), json!(id));
            Body::from(Value::Object(members).to_string())
        }
        _ => Body::from(bytes),
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, body)
}

fn is_problem(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/problem+json"))
}

/// Headers that protect people, on every answer. Who may be cached says so; the rest is not stored anywhere.
fn protect(app: &App, headers: &mut HeaderMap) {
    for (name, value) in PROTECTION {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if app.public_url.is_https() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(TRANSPORT));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// The bare refusals of the layers below, in our words.
pub(super) fn explain<B>(response: axum::http::Response<B>) -> Response
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    let is_ours = is_problem(response.headers());
    match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE if !is_ours => too_large().into_response(),
        StatusCode::SERVICE_UNAVAILABLE if !response.headers().contains_key(header::CONTENT_TYPE) => {
            timed_out().into_response()
        }
        _ => response.map(Body::new),
    }
}

fn timed_out() -> Error {
    Problem::new(
        Code::Unavailable,
        "The answer took too long. What was asked may still happen: look before asking again.",
    )
    .with("retry_after", 2)
    .into()
}
