//! Panes and their clients' short-lived tokens (contract, sections 2 and 4).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::auth::{PaneClient, PaneSecret};
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows::panes::report::{self, PaneReport};
use crate::http::extract::{Body, Path};

/// A short-lived token.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaneToken {
    /// What the client sends as `Authorization: Bearer …` everywhere else.
    #[serde(serialize_with = "Secret::hand_over")]
    #[schema(value_type = String)]
    pub token: Secret,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
}

/// `POST /api/v1/pane/token`.
#[utoipa::path(post, path = "/api/v1/pane/token", tag = "pane clients", security(("pane_secret" = [])),
    responses((status = 200, body = PaneToken), (status = 401, body = crate::http::api::openapi::ProblemShape)))]
pub async fn token(State(app): State<AppState>, secret: PaneSecret) -> Result<Json<PaneToken>> {
    let (token, expires_at) = secret.exchange(&app)?;
    Ok(Json(PaneToken { token: token.into(), expires_at }))
}

/// `PUT /api/v1/panes/{key}`.
#[utoipa::path(put, path = "/api/v1/panes/{key}", tag = "pane clients", security(("pane" = [])),
    params(("key" = String, Path)), request_body = PaneReport,
    responses((status = 204, description = "Taken"), (status = 404, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn put(
    State(app): State<AppState>,
    client: PaneClient,
    Path(key): Path<String>,
    Body(pane): Body<PaneReport>,
) -> Result<StatusCode> {
    report::report(&app, &client, &key, &pane).await?;
    Ok(StatusCode::NO_CONTENT)
}
