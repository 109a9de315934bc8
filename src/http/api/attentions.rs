//! `GET /api/v1/attentions`: what people are needed for, for a client that has missed events.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::attention::{self, Needed};

/// What somebody is needed for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Attentions {
    /// The open episodes, oldest first. A dialog that waits for a decision is among the reviews instead.
    pub items: Vec<Needed>,
}

/// `GET /api/v1/attentions`.
#[utoipa::path(get, path = "/api/v1/attentions", tag = "people", security(("session" = [])),
    responses((status = 200, body = Attentions)))]
pub async fn list(State(app): State<AppState>, person: Person) -> Result<Json<Attentions>> {
    let mut conn = app.db.acquire().await?;
    let open = attention::mine(&mut conn, &person).await?;
    Ok(Json(Attentions { items: open.into_iter().map(Needed::from).collect() }))
}
