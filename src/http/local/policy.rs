//! The supervision policy at the machine: changed here and nowhere else.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;

use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::error::Result;
use crate::flows::policy::{self, Export, History, Import, Patch, Rollback, Simulate, Simulation, View};
use crate::http::api::proposals::page_size;
use crate::http::extract::{Body, Query};

/// Which versions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    before: Option<i64>,
    limit: Option<i64>,
}

/// Which version.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    version: Option<i64>,
}

/// `PATCH /api/v1/supervision`.
pub async fn set(State(app): State<AppState>, admin: LocalAdmin, Body(patch): Body<Patch>) -> Result<Json<View>> {
    policy::set(&app, &admin, patch).await.map(Json)
}

/// `GET /api/v1/supervision/versions`.
pub async fn history(
    State(app): State<AppState>,
    peer: LocalPeer,
    Query(which): Query<Which>,
) -> Result<Json<History>> {
    let page = (which.before, page_size(which.limit)?);
    policy::history(&app, peer, page).await.map(Json)
}

/// `POST /api/v1/supervision/rollback`.
pub async fn rollback(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(back): Body<Rollback>,
) -> Result<Json<View>> {
    policy::rollback(&app, &admin, &back).await.map(Json)
}

/// `GET /api/v1/supervision/export`.
pub async fn export(
    State(app): State<AppState>,
    peer: LocalPeer,
    Query(which): Query<Version>,
) -> Result<Json<Export>> {
    policy::export(&app, peer, which.version).await.map(Json)
}

/// `POST /api/v1/supervision/import`.
pub async fn import(State(app): State<AppState>, admin: LocalAdmin, Body(file): Body<Import>) -> Result<Json<View>> {
    policy::import(&app, &admin, &file).await.map(Json)
}

/// `POST /api/v1/supervision/simulate`: it changes nothing and needs no password.
pub async fn simulate(
    State(app): State<AppState>,
    peer: LocalPeer,
    Body(wish): Body<Simulate>,
) -> Result<Json<Simulation>> {
    policy::simulate(&app, peer, wish).await.map(Json)
}
