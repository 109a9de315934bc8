//! Pane clients and their tokens.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use uuid::Uuid;

use super::agents::{Revoked, Rotate};
use super::{Items, only};
use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows;
use crate::flows::pane_clients::{Issued, NewPaneClient};
use crate::http::extract::{Body, Path};
use crate::store::pane_clients::PaneClientRow;
use crate::store::tokens::TokenRow;
use crate::store::{self, pane_clients, tokens};

/// A pane client with its good tokens.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PaneClientDetail {
    /// The pane client.
    #[serde(flatten)]
    pub pane_client: PaneClientRow,
    /// Its tokens, without their secrets.
    pub tokens: Vec<TokenRow>,
}

/// A token, for the one time it is shown.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct IssuedPaneToken {
    /// The pane client's id.
    pub pane_client_id: Uuid,
    /// What the client sends to `POST /api/v1/pane/token`.
    #[serde(serialize_with = "Secret::hand_over")]
    #[schema(value_type = String)]
    pub token: Secret,
}

impl From<Issued> for IssuedPaneToken {
    fn from(issued: Issued) -> Self {
        Self { pane_client_id: issued.pane_client_id, token: issued.token.text.into() }
    }
}

/// `GET /api/v1/pane-clients`.
pub async fn list(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Items<PaneClientRow>>> {
    let mut conn = app.db.acquire().await?;
    let items = pane_clients::list(&mut conn, None).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/pane-clients`.
pub async fn add(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(new): Body<NewPaneClient>,
) -> Result<(StatusCode, Json<IssuedPaneToken>)> {
    let issued = flows::pane_clients::add(&app, &admin, &new).await?;
    Ok((StatusCode::CREATED, Json(issued.into())))
}

/// `GET /api/v1/pane-clients/{name}`.
pub async fn show(
    State(app): State<AppState>,
    _: LocalPeer,
    Path(name): Path<String>,
) -> Result<Json<PaneClientDetail>> {
    let mut conn = app.db.acquire().await?;
    let pane_client = only(pane_clients::list(&mut conn, Some(&name)).await?)?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let tokens = tokens::of_principal(&mut conn, pane_client.id, now).await?;
    Ok(Json(PaneClientDetail { pane_client, tokens }))
}

/// `POST /api/v1/pane-clients/{name}/rotate`.
pub async fn rotate(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<String>,
    Body(how): Body<Rotate>,
) -> Result<Json<IssuedPaneToken>> {
    let issued = flows::pane_clients::rotate(&app, &admin, &name, how.overlap_secs).await?;
    Ok(Json(issued.into()))
}

/// `POST /api/v1/pane-clients/{name}/revoke`.
pub async fn revoke(State(app): State<AppState>, admin: LocalAdmin, Path(name): Path<String>) -> Result<Json<Revoked>> {
    let revoked = flows::pane_clients::revoke(&app, &admin, &name).await?;
    Ok(Json(Revoked { revoked }))
}

/// `DELETE /api/v1/pane-clients/{name}`.
pub async fn remove(State(app): State<AppState>, admin: LocalAdmin, Path(name): Path<String>) -> Result<StatusCode> {
    flows::pane_clients::remove(&app, &admin, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
