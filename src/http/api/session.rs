//! `/api/v1/session`: signing in, giving the password again, signing out.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::source::Client;
use crate::auth::{Person, session};
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows;
use crate::flows::sessions::Opened;
use crate::http::extract::Body;

/// Name and password.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The user's name.
    pub username: String,
    /// The user's password.
    #[schema(value_type = String)]
    pub password: Secret,
}

/// The password again.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reauth {
    /// The user's password.
    #[schema(value_type = String)]
    pub password: Secret,
}

/// A session that has begun; its secret is in the cookie alone.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SignedIn {
    /// The user's name.
    pub username: String,
    /// The session's id.
    pub session_id: Uuid,
    /// When it ends in any case.
    pub expires_at: DateTime<Utc>,
}

/// `POST /api/v1/session`.
#[utoipa::path(post, path = "/api/v1/session", tag = "people", request_body = SignIn,
    responses((status = 200, body = SignedIn), (status = 401, body = crate::http::api::openapi::ProblemShape), (status = 429, body = crate::http::api::openapi::ProblemShape)))]
pub async fn sign_in(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<SignIn>,
) -> Result<Response> {
    let carried = session::carried(&app, &headers);
    let who = (body.username.as_str(), body.password);
    let opened = flows::sessions::sign_in(&app, who, &client, carried).await?;
    begun(&app, StatusCode::OK, opened)
}

/// The answer to a session's beginning.
pub(super) fn begun(app: &AppState, status: StatusCode, opened: Opened) -> Result<Response> {
    let cookie = opened.cookie.header(app)?;
    let body = SignedIn { username: opened.user, session_id: opened.session_id, expires_at: opened.expires_at };
    Ok((status, [(header::SET_COOKIE, cookie)], Json(body)).into_response())
}

/// `POST /api/v1/session/reauth`: the session goes on under a new cookie.
#[utoipa::path(post, path = "/api/v1/session/reauth", tag = "people", security(("session" = [])), request_body = Reauth,
    responses((status = 204, description = "Counts for five minutes"), (status = 401, body = crate::http::api::openapi::ProblemShape)))]
pub async fn reauth(
    State(app): State<AppState>,
    person: Person,
    client: Client,
    Body(body): Body<Reauth>,
) -> Result<Response> {
    let cookie = flows::sessions::reauth(&app, &person, body.password, &client).await?;
    let cookie = cookie.header(&app)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// `DELETE /api/v1/session`: also empties what the browser kept of this site.
#[utoipa::path(delete, path = "/api/v1/session", tag = "people", security(("session" = [])),
    responses((status = 204, description = "Signed out")))]
pub async fn sign_out(State(app): State<AppState>, person: Person) -> Result<Response> {
    flows::sessions::sign_out(&app, &person).await?;
    let clear = HeaderValue::from_static("\"cache\", \"cookies\", \"storage\"");
    let headers = [(header::SET_COOKIE, session::forget(&app)?), (HeaderName::from_static("clear-site-data"), clear)];
    Ok((StatusCode::NO_CONTENT, headers).into_response())
}
