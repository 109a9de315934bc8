//! `countersign openapi`: the API's description, as the server gives it at `/openapi.json`.

use utoipa::OpenApi;

use super::failure::Outcome;
use super::out;
use crate::http::api::openapi::Document;

/// Prints it; no server is needed.
pub fn run() -> Outcome {
    out::line(serde_json::to_string_pretty(&Document::openapi())?);
    Ok(())
}
