//! From the browser to the local socket: nothing of the browser's own headers, and the password turned into what it takes.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::bridge::{Gate, refusal};
use crate::domain::secret::Secret;
use crate::http::layers::BODY_MAX;
use crate::http::local::pages::sent::{ADMIN, PASSWORD};

/// What of an answer reaches the browser; cookies and challenges of the socket do not.
const ANSWERED: &[&str] = &["content-type", "location", "cache-control", "retry-after", "x-request-id"];

/// Passes a request for an admin page on.
pub(super) async fn handle(State(gate): State<Arc<Gate>>, request: Request) -> Response {
    let path = request.uri().path();
    if path != "/admin" && !path.starts_with("/admin/") {
        return refusal(StatusCode::NOT_FOUND, "There is nothing here; the pages begin at /admin.");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "Pages are read and sent, nothing else.");
    }
    let asked = match translate(request).await {
        Ok(asked) => asked,
        Err(status) => return refusal(status, "This form cannot be passed on."),
    };
    match gate.socket.pass(asked).await {
        Ok(answer) => {
            let (parts, body) = answer.into_parts();
            let mut response = Response::new(Body::new(body));
            *response.status_mut() = parts.status;
            let kept = parts.headers.iter().filter(|(name, _)| ANSWERED.contains(&name.as_str()));
            *response.headers_mut() = kept.map(|(name, value)| (name.clone(), value.clone())).collect::<HeaderMap>();
            response
        }
        Err(failure) => (StatusCode::BAD_GATEWAY, failure.text).into_response(),
    }
}

/// The same request as the socket takes it.
async fn translate(request: Request) -> Result<Request, StatusCode> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or("/admin", axum::http::uri::PathAndQuery::as_str);
    let mut asked = Request::builder()
        .method(&parts.method)
        .uri(target)
        .header(header::HOST, "localhost")
        .header(header::ACCEPT, "text/html");
    let mut body_text = String::new();
    if parts.method == Method::POST {
        let bytes = to_bytes(body, BODY_MAX).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
        let form = Signed::read(&bytes);
        if let Some(credential) = form.credential() {
            asked = asked.header(header::AUTHORIZATION, credential.reveal());
        }
        asked = asked.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        body_text = form.rest;
    }
    asked.body(Body::from(body_text)).map_err(|_| StatusCode::BAD_REQUEST)
}

/// A form with the name and password of the admin who sends it.
struct Signed {
    name: String,
    password: Secret,
    /// All but the password, as it goes on.
    rest: String,
}

impl Signed {
    fn read(bytes: &[u8]) -> Self {
        let (mut name, mut password) = (String::new(), Secret::default());
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (field, value) in form_urlencoded::parse(bytes) {
            match &*field {
                PASSWORD => password = value.into_owned().into(),
                ADMIN => {
                    value.trim().clone_into(&mut name);
                    rest.append_pair(ADMIN, &name);
                }
                _ => drop(rest.append_pair(&field, &value)),
            }
        }
        Self { name, password, rest: rest.finish() }
    }

    /// Nothing while one of the two is missing: the page then says so, and nobody's tries are counted.
    fn credential(&self) -> Option<Secret> {
        // A colon would move the end of the name; no admin's has one.
        if self.name.is_empty() || self.password.reveal().is_empty() || self.name.contains(':') {
            return None;
        }
        let coded = BASE64_STANDARD.encode(format!("{}:{}", self.name, self.password.reveal()));
        Some(format!("Basic {coded}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_becomes_a_header_and_goes_nowhere_else() {
        let form = Signed::read(b"repo=%2Fsrv%2Fa+b&admin=+ada&admin_password=nine+herons%3A%C3%A9&repo=c");
        assert_eq!(form.rest, "repo=%2Fsrv%2Fa+b&admin=ada&repo=c");
        let coded = BASE64_STANDARD.encode("ada:nine herons:é");
        assert_eq!(form.credential().unwrap().reveal(), format!("Basic {coded}"));
        for missing in ["admin=ada&admin_password=", "admin=&admin_password=x", "admin=a:b&admin_password=x", ""] {
            assert!(Signed::read(missing.as_bytes()).credential().is_none(), "{missing}");
        }
    }
}
