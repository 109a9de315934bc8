//! Agents and their tokens.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Items, only};
use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows;
use crate::flows::agents::{Issued, NewAgent};
use crate::http::extract::{Body, Path};
use crate::store::agents::AgentRow;
use crate::store::tokens::TokenRow;
use crate::store::{self, agents, tokens};

/// An agent with its good tokens.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct AgentDetail {
    /// The agent.
    #[serde(flatten)]
    pub agent: AgentRow,
    /// Its tokens, without their secrets.
    pub tokens: Vec<TokenRow>,
}

/// A token, for the one time it is shown.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct IssuedToken {
    /// The agent's id.
    pub agent_id: Uuid,
    /// What the agent sends as `Authorization: Bearer …`.
    #[serde(serialize_with = "Secret::hand_over")]
    #[schema(value_type = String)]
    pub token: Secret,
}

/// How to renew.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotate {
    /// How long the old token still works.
    #[serde(default)]
    pub overlap_secs: u32,
}

/// How many tokens ended.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Revoked {
    /// The number.
    pub revoked: usize,
}

impl From<Issued> for IssuedToken {
    fn from(issued: Issued) -> Self {
        Self { agent_id: issued.agent_id, token: issued.token.text.into() }
    }
}

/// `GET /api/v1/agents`.
pub async fn list(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Items<AgentRow>>> {
    let mut conn = app.db.acquire().await?;
    let items = agents::list(&mut conn, None).await?;
    Ok(Json(Items { items }))
}

/// `POST /api/v1/agents`.
pub async fn add(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Body(new): Body<NewAgent>,
) -> Result<(StatusCode, Json<IssuedToken>)> {
    let issued = flows::agents::add(&app, &admin, &new).await?;
    Ok((StatusCode::CREATED, Json(issued.into())))
}

/// `GET /api/v1/agents/{name}`.
pub async fn show(State(app): State<AppState>, _: LocalPeer, Path(name): Path<String>) -> Result<Json<AgentDetail>> {
    let mut conn = app.db.acquire().await?;
    let agent = only(agents::list(&mut conn, Some(&name)).await?)?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let tokens = tokens::of_principal(&mut conn, agent.id, now).await?;
    Ok(Json(AgentDetail { agent, tokens }))
}

/// `POST /api/v1/agents/{name}/rotate`.
pub async fn rotate(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<String>,
    Body(how): Body<Rotate>,
) -> Result<Json<IssuedToken>> {
    let issued = flows::agents::rotate(&app, &admin, &name, how.overlap_secs).await?;
    Ok(Json(issued.into()))
}

/// `POST /api/v1/agents/{name}/revoke`.
pub async fn revoke(State(app): State<AppState>, admin: LocalAdmin, Path(name): Path<String>) -> Result<Json<Revoked>> {
    let revoked = flows::agents::revoke(&app, &admin, &name).await?;
    Ok(Json(Revoked { revoked }))
}

/// `DELETE /api/v1/agents/{name}`.
pub async fn remove(State(app): State<AppState>, admin: LocalAdmin, Path(name): Path<String>) -> Result<StatusCode> {
    flows::agents::remove(&app, &admin, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
