//! Users, their grants and their sessions.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Items, Made};
use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::name::Name;
use crate::domain::secret::Secret;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::people::{By, GrantSpec, NewUser};
use crate::http::extract::{Body, Path};
use crate::store::grants::GrantRow;
use crate::store::people::PersonRow;
use crate::store::sessions::SessionRow;
use crate::store::{self, grants, people, sessions};

/// A person with what they may.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct User {
    /// The person.
    #[serde(flatten)]
    pub person: PersonRow,
    /// Their grants.
    pub grants: Vec<GrantRow>,
}

/// A password for somebody.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The password from now on.
    #[schema(value_type = String)]
    pub password: Secret,
}

/// `GET /api/v1/users`.
pub async fn list(State(app): State<AppState>, _: LocalPeer) -> Result<Json<Items<User>>> {
    let mut conn = app.db.acquire().await?;
    let mut held = grants::list(&mut conn, None).await?;
    let items = people::list(&mut conn)
        .await?
        .into_iter()
        .map(|person| User { grants: held.extract_if(.., |grant| grant.user == person.name).collect(), person })
        .collect();
    Ok(Json(Items { items }))
}

/// `POST /api/v1/users`: by an admin, or by anybody at the machine while there is nobody.
pub async fn add(
    State(app): State<AppState>,
    peer: LocalPeer,
    admin: Option<LocalAdmin>,
    Body(new): Body<NewUser>,
) -> Result<(StatusCode, Json<Made>)> {
    let by = admin.as_ref().map_or(By::First(&peer), By::Admin);
    let id = flows::people::add(&app, by, new).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// `GET /api/v1/users/{name}`.
pub async fn show(State(app): State<AppState>, _: LocalPeer, Path(name): Path<String>) -> Result<Json<User>> {
    let mut conn = app.db.acquire().await?;
    let everybody = people::list(&mut conn).await?;
    let person = everybody.into_iter().find(|person| person.name == name);
    let person = person.ok_or_else(Error::not_found)?;
    let grants = grants::list(&mut conn, Some(&name)).await?;
    Ok(Json(User { person, grants }))
}

/// `DELETE /api/v1/users/{name}`.
pub async fn remove(State(app): State<AppState>, admin: LocalAdmin, Path(name): Path<String>) -> Result<StatusCode> {
    flows::people::remove(&app, &admin, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/users/{name}/password`.
pub async fn reset_password(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<Name>,
    Body(body): Body<NewPassword>,
) -> Result<StatusCode> {
    flows::people::reset_password(&app, &admin, &name, body.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/users/{name}/grants`.
pub async fn grant(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(name): Path<String>,
    Body(spec): Body<GrantSpec>,
) -> Result<(StatusCode, Json<Made>)> {
    let id = flows::people::grant(&app, &admin, &name, &spec).await?;
    Ok((StatusCode::CREATED, Json(Made { id })))
}

/// `DELETE /api/v1/grants/{id}`.
pub async fn revoke(State(app): State<AppState>, admin: LocalAdmin, Path(id): Path<Uuid>) -> Result<StatusCode> {
    flows::people::revoke(&app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/v1/users/{name}/sessions`.
pub async fn sessions(
    State(app): State<AppState>,
    _: LocalPeer,
    Path(name): Path<String>,
) -> Result<Json<Items<SessionRow>>> {
    let mut conn = app.db.acquire().await?;
    let account = people::account(&mut conn, &name).await?;
    let account = account.ok_or_else(Error::not_found)?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let items = sessions::of_user(&mut conn, account.id, now).await?;
    Ok(Json(Items { items }))
}

/// `DELETE /api/v1/sessions/{id}`.
pub async fn close_session(State(app): State<AppState>, admin: LocalAdmin, Path(id): Path<Uuid>) -> Result<StatusCode> {
    flows::sessions::close(&app, &admin, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
