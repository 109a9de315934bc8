//! From a request to a principal: a bearer token makes an agent, a session cookie makes a person, nothing else makes either.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use super::{Agent, LaneRef, Person, session, token};
use crate::app::AppState;
use crate::error::{Code, Error, Result, is_passing};
use crate::store::grants;
use crate::store::sessions::{self, LiveSession};
use crate::store::tokens::{self, AgentToken};

/// An agent that may have been read up to a minute ago, whatever the method: for a flow whose own statement
/// checks [`Agent::token_id`] again before it writes.
#[derive(Clone, Debug)]
pub struct Remembered(pub Agent);

impl FromRequestParts<AppState> for Agent {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let hash = bearer_hash(&parts.headers)?;
        if parts.method.is_safe() { remembered(app, hash).await } else { read(app, hash).await }
    }
}

impl FromRequestParts<AppState> for Remembered {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let hash = bearer_hash(&parts.headers)?;
        remembered(app, hash).await.map(Self)
    }
}

impl FromRequestParts<AppState> for Person {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let hash = session::carried(app, &parts.headers).ok_or_else(Error::unauthenticated)?;
        let mut conn = app.db.acquire().await?;
        let live = sessions::find(&mut conn, &hash, app.clock.offset_us()).await?;
        let live = live.ok_or_else(Error::unauthenticated)?;
        if live.now - live.seen_at >= session::EXTEND {
            let idle_until = live.now + session::IDLE;
            noted(sessions::touch(&mut conn, live.session_id, live.now, idle_until).await)?;
        }
        let grants = grants::held_by(&mut conn, live.user_id).await?;
        Ok(Self::mint(live, grants))
    }
}

impl OptionalFromRequestParts<AppState> for Person {
    type Rejection = Error;

    /// Nobody signed in is no error here; a database that is away is.
    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Option<Self>> {
        match <Self as FromRequestParts<AppState>>::from_request_parts(parts, app).await {
            Ok(person) => Ok(Some(person)),
            Err(error) if error.code() == Code::Unauthenticated => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Person {
    fn mint(live: LiveSession, grants: Vec<crate::domain::access::Grant>) -> Self {
        Self {
            user_id: live.user_id,
            name: live.name,
            session_id: live.session_id,
            reauth_at: live.reauth_at,
            time_zone: live.time_zone.parse().unwrap_or(chrono_tz::Tz::UTC),
            grants,
            now: live.now,
        }
    }
}

impl Agent {
    fn mint(token: AgentToken) -> Self {
        Self {
            id: token.agent_id,
            name: token.agent,
            lane: LaneRef { id: token.lane_id, name: token.lane, project: token.project_id },
            lead: token.lead,
            mounted: token.mounted,
            token_id: token.token_id,
        }
    }
}

/// Whether a request carries a bearer token, good or not.
pub fn has_bearer(headers: &HeaderMap) -> bool {
    bearer(headers).is_some()
}

pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn bearer_hash(headers: &HeaderMap) -> Result<[u8; 32]> {
    bearer(headers).filter(|text| token::is_agent_token(text)).map(token::hash).ok_or_else(Error::unauthenticated)
}

async fn remembered(app: &AppState, hash: [u8; 32]) -> Result<Agent> {
    let now_us = app.clock.now().timestamp_micros();
    match app.hub.bearers.get(&hash, now_us) {
        Some(known) => Ok(Agent::mint(known)),
        None => read(app, hash).await,
    }
}

async fn read(app: &AppState, hash: [u8; 32]) -> Result<Agent> {
    let clearings = app.hub.bearers.clearings();
    let mut conn = app.db.acquire().await?;
    let found = tokens::find_agent(&mut conn, &hash, app.clock.offset_us()).await?;
    let token = found.ok_or_else(Error::unauthenticated)?;
    if !token.used_lately {
        noted(tokens::touch(&mut conn, token.token_id, token.now).await)?;
    }
    let now_us = app.clock.now().timestamp_micros();
    app.hub.bearers.keep(clearings, hash, token.clone(), now_us);
    Ok(Agent::mint(token))
}

/// That a use is noted can wait: a disk that is full, or a standby, is still read.
pub fn noted(written: sqlx::Result<()>) -> Result<()> {
    match written {
        Err(error) if is_passing(&error) => {
            tracing::debug!(%error, "that a credential was used could not be noted");
            Ok(())
        }
        written => Ok(written?),
    }
}
