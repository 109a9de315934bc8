//! Orders, for pane clients (contract, section 4).

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::proposals::Wait;
use crate::app::AppState;
use crate::auth::PaneClient;
use crate::domain::order::OutcomeReport;
use crate::error::Result;
use crate::flows::orders::lease;
use crate::flows::orders::outcome::{self, Reported};
use crate::flows::orders::shape::Order;
use crate::http::extract::{Body, Path, Query};

/// What a client has to do, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Orders {
    /// The orders.
    pub items: Vec<Order>,
}

/// `GET /api/v1/orders`.
#[utoipa::path(get, path = "/api/v1/orders", tag = "pane clients", security(("pane" = [])), params(Wait),
    responses((status = 200, body = Orders)))]
pub async fn list(State(app): State<AppState>, client: PaneClient, Query(wait): Query<Wait>) -> Result<Json<Orders>> {
    let items = lease::lease(&app, &client, wait.duration()?).await?;
    Ok(Json(Orders { items }))
}

/// `POST /api/v1/orders/{id}/outcome`.
#[utoipa::path(post, path = "/api/v1/orders/{id}/outcome", tag = "pane clients", security(("pane" = [])),
    params(("id" = Uuid, Path)), request_body = OutcomeReport,
    responses((status = 200, body = Reported), (status = 404, body = crate::http::api::openapi::ProblemShape),
        (status = 409, body = crate::http::api::openapi::ProblemShape), (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn outcome(
    State(app): State<AppState>,
    client: PaneClient,
    Path(id): Path<Uuid>,
    Body(report): Body<OutcomeReport>,
) -> Result<Json<Reported>> {
    Ok(Json(outcome::report(&app, &client, id, &report).await?))
}
