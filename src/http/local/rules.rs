//! Learned rules and suggestions at the machine.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use uuid::Uuid;

use super::{Items, Made};
use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::error::{Error, Result};
use crate::flows::rules::{self, Accept, Accepted, Covered, Draft, ListedRule, NewRule};
use crate::http::extract::{Body, Path, Query};
use crate::store::suggestions::SuggestionRow;

/// Of which project.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfProject {
    project: Option<String>,
}

/// In which state.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InState {
    state: Option<String>,
}

/// `GET /api/v1/rules`.
pub async fn list(
    State(app): State<AppState>,
    peer: LocalPeer,
    Query(of): Query<OfProject>,
) -> Result<Json<Items<ListedRule>>> {
    let items = rules::list(&app, peer, of.project.as_deref()).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/rules`.
pub async fn confirm(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(new): Body<NewRule>,
) -> Result<(StatusCode, Json<Made>)> {
    let id = rules::confirm(&app, &admin, &new).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// `POST /api/v1/rules/covers`: what it would cover, before it is confirmed.
pub async fn covers(State(app): State<AppState>, peer: LocalPeer, Body(draft): Body<Draft>) -> Result<Json<Covered>> {
    rules::covers(&app, peer, &draft).await.map(Json)
}

/// `DELETE /api/v1/rules/{id}`.
pub async fn remove(State(app): State<AppState>, admin: LocalAdmin, Path(id): Path<Uuid>) -> Result<StatusCode> {
    rules::remove(&app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/suggestions`.
pub async fn suggestions(
    State(app): State<AppState>,
    peer: LocalPeer,
    Query(which): Query<InState>,
) -> Result<Json<Items<SuggestionRow>>> {
    let open = match which.state.as_deref() {
        None | Some("open") => true,
        Some("all") => false,
        Some(_) => return Err(Error::invalid("state", "state takes open or all.")),
    };
    let items = rules::suggestions(&app, peer, open).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/suggestions/{id}/accept`.
pub async fn accept(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(id): Path<Uuid>,
    Body(how): Body<Accept>,
) -> Result<Json<Accepted>> {
    rules::accept(&app, &admin, id, &how).await.map(Json)
}

/// `POST /api/v1/suggestions/{id}/dismiss`.
pub async fn dismiss(State(app): State<AppState>, admin: LocalAdmin, Path(id): Path<Uuid>) -> Result<StatusCode> {
    rules::dismiss(&app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
