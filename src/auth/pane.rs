//! Pane clients at the door: the long-lived token buys short-lived ones, and only those open the rest.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::extract::{bearer, noted};
use super::{LaneRef, PaneClient, PaneSecret, pane_token, token};
use crate::app::{App, AppState};
use crate::error::{Code, Error, Problem, Result};
use crate::store::pane_clients::Watched;
use crate::store::{pane_clients, tokens};

impl FromRequestParts<AppState> for PaneSecret {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let text = bearer(&parts.headers).filter(|text| token::is_pane_client_token(text));
        let hash = token::hash(text.ok_or_else(refused)?);
        let mut conn = app.db.acquire().await?;
        let found = pane_clients::find_enrolled(&mut conn, &hash, app.clock.offset_us()).await?;
        let found = found.ok_or_else(refused)?;
        if !found.used_lately {
            noted(tokens::touch(&mut conn, found.token_id, found.now).await)?;
        }
        Ok(Self { id: found.id, name: found.name, token_epoch: found.token_epoch })
    }
}

impl FromRequestParts<AppState> for PaneClient {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let text = bearer(&parts.headers).ok_or_else(refused)?;
        let kid = pane_token::kid(text).ok_or_else(refused)?;
        let mut conn = app.db.acquire().await?;
        let key = pane_clients::token_key(&mut conn, &kid).await?.ok_or_else(refused)?;
        let claims = pane_token::verify(app, text, &key).ok_or_else(refused)?;
        let live = pane_clients::find(&mut conn, claims.sub, claims.token_epoch).await?.ok_or_else(refused)?;
        let lane = |lane: pane_clients::OwnLane| LaneRef { id: lane.id, name: lane.name, project: lane.project };
        Ok(Self {
            id: live.id,
            name: live.name,
            token_epoch: live.token_epoch,
            lanes: live.lanes.0.into_iter().map(lane).collect(),
        })
    }
}

impl PaneSecret {
    /// Its client's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its lanes with their folders.
    pub async fn lanes(&self, app: &App) -> Result<Vec<Watched>> {
        Ok(pane_clients::watched(&mut *app.db.acquire().await?, self.id).await?)
    }

    /// Makes a short-lived token: its text, and when it ends.
    pub fn exchange(&self, app: &App) -> Result<(String, DateTime<Utc>)> {
        pane_token::mint(app, self)
    }
}

impl PaneClient {
    /// Holds the client as it is until the transaction ends: refused when it was removed or its tokens were taken back
    /// since the request came in.
    pub async fn confirm(&self, conn: &mut PgConnection) -> Result<()> {
        if pane_clients::hold(conn, self.id, self.token_epoch).await? { Ok(()) } else { Err(refused()) }
    }
}

fn refused() -> Error {
    Problem::new(
        Code::Unauthenticated,
        "Send `Authorization: Bearer` with the token that POST /api/v1/pane/token gives for a csp_… token: it is missing, has ended, or is of another kind.",
    )
    .into()
}
