//! A bug in one request is an answer of 500, not a closed connection.

use std::any::Any;

use axum::response::{IntoResponse, Response};

use crate::error::Error;

/// What the caller gets; the panic's own message goes to the log.
#[expect(clippy::needless_pass_by_value, reason = "tower-http hands the panic over by value")]
pub(super) fn answer(panic: Box<dyn Any + Send>) -> Response {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    Error::Internal(format!("panic: {said}")).into_response()
}
