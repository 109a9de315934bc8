//! Panes and their clients' short-lived tokens (contract, sections 2 and 4).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::auth::{PaneClient, PaneSecret};
use crate::domain::pane::PaneReport;
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows::panes::report;
use crate::http::extract::{Body, Path};
use crate::store::pane_clients::Watched;

/// A short-lived token.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaneToken {
    /// What the client sends as `Authorization: Bearer …` everywhere else.
    #[serde(serialize_with = "Secret::hand_over")]
    #[schema(value_type = String)]
    pub token: Secret,
    /// When it ends.
    pub expires_at: DateTime<Utc>,
    /// The client's lanes with their folders, which its reports have to name.
    pub lanes: Vec<WatchedLane>,
}

/// A lane that a pane client watches.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchedLane {
    /// Its name.
    pub name: String,
    /// The worktree's folder, as the admin registered it.
    pub worktree: String,
    /// The repository's folder, as the admin registered it.
    pub repo: String,
}

impl From<Watched> for WatchedLane {
    fn from(lane: Watched) -> Self {
        Self { name: lane.name, worktree: lane.worktree, repo: lane.repo }
    }
}

/// `POST /api/v1/pane/token`.
#[utoipa::path(post, path = "/api/v1/pane/token", tag = "pane clients", security(("pane_secret" = [])),
    responses((status = 200, body = PaneToken), (status = 401, body = crate::http::api::openapi::ProblemShape)))]
pub async fn token(State(app): State<AppState>, secret: PaneSecret) -> Result<Json<PaneToken>> {
    let (token, expires_at) = secret.exchange(&app)?;
    let lanes = secret.lanes(&app).await?.into_iter().map(WatchedLane::from).collect();
    Ok(Json(PaneToken { token: token.into(), expires_at, lanes }))
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
