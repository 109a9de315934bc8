//! `/api/v1/account`: what somebody sees and changes of their own.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::Person;
use crate::auth::source::Client;
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows;
use crate::http::extract::{Body, Path};
use crate::store::grants::GrantRow;
use crate::store::sessions::SessionRow;
use crate::store::{grants, sessions};

/// Somebody's own account.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Account {
    /// Their name.
    pub username: String,
    /// The zone their pages are in.
    pub time_zone: String,
    /// The session of this request.
    pub session_id: Uuid,
    /// When they last gave their password in it.
    pub reauth_at: DateTime<Utc>,
    /// What they may.
    pub grants: Vec<GrantRow>,
}

/// One of one's own sessions.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OwnSession {
    /// The session.
    #[serde(flatten)]
    pub session: SessionRow,
    /// Whether it is the one of this request.
    pub current: bool,
}

/// A list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OwnSessions {
    /// Newest first.
    pub items: Vec<OwnSession>,
}

/// The old password and the new one.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangePassword {
    /// The password so far.
    #[schema(value_type = String)]
    pub old_password: Secret,
    /// The password from now on.
    #[schema(value_type = String)]
    pub new_password: Secret,
}

/// What of one's account may be changed.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeAccount {
    /// The zone of one's pages, e.g. `Europe/Vienna`.
    pub time_zone: String,
}

/// `GET /api/v1/account`.
#[utoipa::path(get, path = "/api/v1/account", tag = "people", security(("session" = [])), responses((status = 200, body = Account)))]
pub async fn show(State(app): State<AppState>, person: Person) -> Result<Json<Account>> {
    let mut conn = app.db.acquire().await?;
    Ok(Json(Account {
        username: person.name().to_owned(),
        time_zone: person.time_zone().name().to_owned(),
        session_id: person.session_id(),
        reauth_at: person.reauth_at(),
        grants: grants::list(&mut conn, Some(person.name())).await?,
    }))
}

/// `PATCH /api/v1/account`.
#[utoipa::path(patch, path = "/api/v1/account", tag = "people", security(("session" = [])), request_body = ChangeAccount,
    responses((status = 204, description = "Changed"), (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn change(
    State(app): State<AppState>,
    person: Person,
    Body(body): Body<ChangeAccount>,
) -> Result<StatusCode> {
    flows::people::set_time_zone(&app, &person, &body.time_zone).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/account/password`: other sessions end, this one goes on under a new cookie.
#[utoipa::path(post, path = "/api/v1/account/password", tag = "people", security(("session" = [])), request_body = ChangePassword,
    responses((status = 204, description = "Changed; other sessions are closed"), (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn change_password(
    State(app): State<AppState>,
    person: Person,
    client: Client,
    Body(body): Body<ChangePassword>,
) -> Result<Response> {
    let words = (body.old_password, body.new_password);
    let cookie = flows::people::change_password(&app, &person, words, &client).await?;
    let cookie = cookie.header(&app)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// `GET /api/v1/account/sessions`.
#[utoipa::path(get, path = "/api/v1/account/sessions", tag = "people", security(("session" = [])),
    responses((status = 200, body = OwnSessions)))]
pub async fn sessions(State(app): State<AppState>, person: Person) -> Result<Json<OwnSessions>> {
    let mut conn = app.db.acquire().await?;
    let rows = sessions::of_user(&mut conn, person.user_id(), person.now()).await?;
    let items =
        rows.into_iter().map(|session| OwnSession { current: session.id == person.session_id(), session }).collect();
    Ok(Json(OwnSessions { items }))
}

/// `DELETE /api/v1/account/sessions/{id}`.
#[utoipa::path(delete, path = "/api/v1/account/sessions/{id}", tag = "people", security(("session" = [])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "Closed"), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn close_session(State(app): State<AppState>, person: Person, Path(id): Path<Uuid>) -> Result<StatusCode> {
    flows::sessions::close_own(&app, &person, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
