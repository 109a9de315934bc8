//! Who is at the local socket: a process of an allowed user, and the admin whose password came with the request.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::source::LOCAL;
use super::{LocalAdmin, LocalPeer, credentials};
use crate::app::AppState;
use crate::domain::access::{Grant, Role, Scope};
use crate::domain::secret::Secret;
use crate::error::{Error, Result};
use crate::store::{grants, people};

impl LocalPeer {
    /// A process at the other end of the socket, if it runs as the server's own user or as root.
    pub fn admit(uid: u32, owner: u32) -> Option<Self> {
        (uid == owner || uid == 0).then_some(Self { uid })
    }
}

impl FromRequestParts<AppState> for LocalPeer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self> {
        // The listener puts it there, and only the socket's listener does.
        parts.extensions.get::<Self>().copied().ok_or_else(Error::unauthenticated)
    }
}

impl FromRequestParts<AppState> for LocalAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        <LocalPeer as FromRequestParts<AppState>>::from_request_parts(parts, app).await?;
        let (name, password) = basic(&parts.headers).ok_or_else(Error::unauthenticated)?;
        let account = credentials::check(app, &name, password, LOCAL).await?;
        let mut conn = app.db.acquire().await?;
        let now = crate::store::now(&mut conn, app.clock.offset_us()).await?;
        let admin = Self { user_id: account.id, name: account.name };
        admin.confirm(&mut conn, now).await?;
        Ok(admin)
    }
}

impl OptionalFromRequestParts<AppState> for LocalAdmin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Option<Self>> {
        if !parts.headers.contains_key(header::AUTHORIZATION) {
            return Ok(None);
        }
        <Self as FromRequestParts<AppState>>::from_request_parts(parts, app).await.map(Some)
    }
}

impl LocalAdmin {
    /// Reads again, inside the transaction that changes something, whether they are still an admin.
    pub async fn confirm(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
        let account = people::lock_share(conn, self.user_id).await?;
        let enabled = account.is_some_and(|account| account.disabled_at.is_none());
        let held = grants::held_by(conn, self.user_id).await?;
        if enabled && is_admin(&held, now) {
            return Ok(());
        }
        Err(Error::forbidden(format!("{} is not an admin everywhere; changes at the machine need one.", self.name)))
    }
}

/// Whether the grants make somebody an admin of everything at `now`.
pub fn is_admin(grants: &[Grant], now: DateTime<Utc>) -> bool {
    grants.iter().any(|grant| grant.role == Role::Admin && grant.scope == Scope::Global && grant.live(now))
}

/// The name that came with a password, good or not.
pub fn claimed_name(headers: &HeaderMap) -> Option<String> {
    basic(headers).map(|(name, _)| name)
}

fn basic(headers: &HeaderMap) -> Option<(String, Secret)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, coded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(BASE64_STANDARD.decode(coded.trim()).ok()?).ok()?;
    let (name, password) = text.split_once(':')?;
    Some((name.to_owned(), password.into()))
}
