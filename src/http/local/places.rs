//! Projects and lanes.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::{Items, Made, only};
use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::error::Result;
use crate::flows;
use crate::flows::places::{NewLane, NewProject};
use crate::http::extract::{Body, Path};
use crate::store::places::{self, LaneRow, ProjectRow};

/// `GET /api/v1/projects`.
pub async fn projects(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Items<ProjectRow>>> {
    let mut conn = app.db.acquire().await?;
    let items = places::projects(&mut conn, None).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/projects`.
pub async fn add_project(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(new): Body<NewProject>,
) -> Result<(StatusCode, Json<Made>)> {
    let id = flows::places::add_project(&app, &admin, &new).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// `GET /api/v1/projects/{name}`.
pub async fn project(State(app): State<AppState>, _: LocalPeer, Path(name): Path<String>) -> Result<Json<ProjectRow>> {
    let mut conn = app.db.acquire().await?;
    only(places::projects(&mut conn, Some(&name)).await?).map(Json)
}

/// `DELETE /api/v1/projects/{name}`.
pub async fn remove_project(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<String>,
) -> Result<StatusCode> {
    flows::places::remove_project(&app, &admin, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/lanes`.
pub async fn lanes(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Items<LaneRow>>> {
    let mut conn = app.db.acquire().await?;
    let items = places::lanes(&mut conn, None).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/lanes`.
pub async fn add_lane(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(new): Body<NewLane>,
) -> Result<(StatusCode, Json<Made>)> {
    let id = flows::places::add_lane(&app, &admin, &new).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// `GET /api/v1/lanes/{name}`.
pub async fn lane(State(app): State<AppState>, _: LocalPeer, Path(name): Path<String>) -> Result<Json<LaneRow>> {
    let mut conn = app.db.acquire().await?;
    only(places::lanes(&mut conn, Some(&name)).await?).map(Json)
}

/// `DELETE /api/v1/lanes/{name}`.
pub async fn remove_lane(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<String>,
) -> Result<StatusCode> {
    flows::places::remove_lane(&app, &admin, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
