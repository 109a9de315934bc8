//! Our own `Body` and `Path`: one shape of answer for everything that cannot be read, naming the field.

use axum::extract::{FromRequest, FromRequestParts, Request, rejection::BytesRejection};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use crate::error::json::{quoted, read_json};
use crate::error::{Code, Error, Problem, Result};

/// A JSON body. Unknown fields and wrong types name themselves.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        if !is_json(request.headers()) {
            return Err(Problem::new(Code::UnsupportedMedia, "Send the body as application/json.").into());
        }
        let bytes = bytes(request, state).await?;
        read_json(&bytes).map(Self)
    }
}

/// The body's bytes, within the limit.
pub(super) async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<axum::body::Bytes> {
    axum::body::Bytes::from_request(request, state).await.map_err(|rejection| match rejection {
        BytesRejection::FailedToBufferBody(ref failed) if failed.status() == 413 => too_large(),
        _ => Problem::new(Code::Malformed, "The body broke off.").into(),
    })
}

/// The body is over the limit.
pub fn too_large() -> Error {
    Problem::new(Code::TooLarge, "The body is over 256 KiB.").into()
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mime = value.split(';').next().unwrap_or_default().trim();
    mime.eq_ignore_ascii_case("application/json")
}

/// Path parts. What cannot be read is simply not there.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        #[expect(clippy::disallowed_types, reason = "this is the wrapper that everybody else uses")]
        let read = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|path| Self(path.0)).map_err(|_| Error::not_found())
    }
}

/// Query parameters. An unknown one or a wrong value names itself.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let text = parts.uri.query().unwrap_or_default();
        let reader = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
        serde_path_to_error::deserialize(reader).map(Self).map_err(|error| {
            let (path, said) = (error.path().to_string(), error.inner().to_string());
            match quoted(&said, "unknown field `") {
                Some(name) => {
                    let name = name.to_owned();
                    Problem::new(Code::UnknownField, format!("There is no parameter `{name}`.")).field(name).into()
                }
                None => Error::invalid(path, said),
            }
        })
    }
}
