//! How an error leaves the server: problem+json for programs; one layer makes a page of it for people.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::error::{Code, Error, Problem};

/// What the pages' layer needs to say the same to a person. Travels in the response's extensions.
#[derive(Clone, Debug)]
pub struct Told {
    /// The stable code.
    pub code: Code,
    /// The words for people.
    pub detail: String,
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        render(self.into())
    }
}

/// The problem as an answer. The request id is added by [`super::layers`].
fn render(problem: Problem) -> Response {
    let Problem { code, detail, field, extra } = problem;
    let retry_after = extra.get("retry_after").and_then(Value::as_u64);
    // What every problem has wins over what this one adds.
    let mut members = extra;
    members.insert("type".into(), json!(format!("urn:countersign:problem:{}", code.as_str())));
    members.insert("title".into(), json!(code.title()));
    members.insert("status".into(), json!(code.status()));
    members.insert("code".into(), json!(code.as_str()));
    members.insert("detail".into(), json!(detail));
    if let Some(field) = field {
        members.insert("field".into(), json!(field));
    }
    let status = StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(Value::Object(members))).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if let Some(secs) = retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(secs));
    }
    if code == Code::Unauthenticated {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"countersign\""));
    }
    response.extensions_mut().insert(Told { code, detail: detail.into_owned() });
    response
}

/// The fallback of both routers.
pub async fn no_such_route() -> Error {
    Error::not_found()
}

/// The fallback for a known address with another method.
pub async fn no_such_method() -> Error {
    Problem::new(Code::MethodNotAllowed, "This address does not take that method.").into()
}
