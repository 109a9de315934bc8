//! Permission dialogs, for pane clients (contract, section 4).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::proposals::Wait;
use crate::app::AppState;
use crate::auth::PaneClient;
use crate::domain::report::Report;
use crate::error::Result;
use crate::flows::dialogs::close::{self, Gone};
use crate::flows::dialogs::shape::{self, Dialog};
use crate::flows::dialogs::{look, report};
use crate::http::extract::{Body, Path, Query};

/// `POST /api/v1/dialogs`.
#[utoipa::path(post, path = "/api/v1/dialogs", tag = "pane clients", security(("pane" = [])), request_body = Report,
    responses((status = 201, body = Dialog), (status = 200, description = "Reported before", body = Dialog),
        (status = 404, body = crate::http::api::openapi::ProblemShape), (status = 409, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn create(
    State(app): State<AppState>,
    client: PaneClient,
    Body(dialog): Body<Report>,
) -> Result<(StatusCode, Json<Dialog>)> {
    let found = report::report(&app, &client, &dialog).await?;
    let seen = look::read(&app, &client, found.id).await?;
    let status = if found.new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(shape::dialog(&seen))))
}

/// `GET /api/v1/dialogs/{id}`.
#[utoipa::path(get, path = "/api/v1/dialogs/{id}", tag = "pane clients", security(("pane" = [])),
    params(("id" = Uuid, Path), Wait),
    responses((status = 200, body = Dialog), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn get(
    State(app): State<AppState>,
    client: PaneClient,
    Path(id): Path<Uuid>,
    Query(wait): Query<Wait>,
) -> Result<Json<Dialog>> {
    let seen = look::look(&app, &client, id, wait.duration()?).await?;
    Ok(Json(shape::dialog(&seen)))
}

/// The body of `POST …/close`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// How it went.
    pub reason: Gone,
}

/// `POST /api/v1/dialogs/{id}/close`.
#[utoipa::path(post, path = "/api/v1/dialogs/{id}/close", tag = "pane clients", security(("pane" = [])),
    params(("id" = Uuid, Path)), request_body = Close,
    responses((status = 200, body = Dialog), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn close(
    State(app): State<AppState>,
    client: PaneClient,
    Path(id): Path<Uuid>,
    Body(Close { reason }): Body<Close>,
) -> Result<Json<Dialog>> {
    let seen = close::close(&app, &client, id, reason).await?;
    Ok(Json(shape::dialog(&seen)))
}

impl Wait {
    /// How long to wait, if that is allowed.
    pub(super) fn duration(&self) -> Result<Duration> {
        super::proposals::check_wait(self.wait).map(|()| Duration::from_secs(u64::from(self.wait)))
    }
}
