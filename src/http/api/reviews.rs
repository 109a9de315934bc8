//! Reviews and decisions, for people's programs (contract, section 5).

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::proposals::{List, page, page_size};
use crate::app::AppState;
use crate::auth::Person;
use crate::domain::proposal::Status;
use crate::domain::ruling::Ruling;
use crate::error::{Error, Result};
use crate::flows::proposals::decide;
use crate::flows::proposals::reviews::{self, Item, Review};
use crate::http::extract::{Body, Path, Query};
use crate::store;
use crate::store::proposals::list::Filter;

/// Which proposals.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only this status; `pending` when absent.
    pub status: Option<Status>,
    /// Only this lane.
    pub lane: Option<String>,
    /// At most so many, 1 to 200; 50 when absent.
    pub limit: Option<i64>,
    /// Only those made before this one.
    pub before: Option<Uuid>,
}

/// `GET /api/v1/reviews`.
#[utoipa::path(get, path = "/api/v1/reviews", tag = "people", security(("session" = [])), params(Which),
    responses((status = 200, body = List<Item>)))]
pub async fn list(State(app): State<AppState>, person: Person, Query(which): Query<Which>) -> Result<Json<List<Item>>> {
    let limit = page_size(which.limit)?;
    let filter = Filter {
        lane: which.lane,
        statuses: vec![which.status.unwrap_or(Status::Pending).as_str().to_owned()],
        before: which.before,
        limit: limit + 1,
        ..reviews::visible(&person)
    };
    let rows = reviews::list(&app, &filter).await?;
    Ok(Json(page(&rows, limit, |row| row.id, |row| reviews::item(&app, &person, row))))
}

/// `GET /api/v1/reviews/{id}`.
#[utoipa::path(get, path = "/api/v1/reviews/{id}", tag = "people", security(("session" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, body = Review), (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn get(State(app): State<AppState>, person: Person, Path(id): Path<Uuid>) -> Result<Json<Review>> {
    let (row, content) = reviews::open(&app, &person, id).await?;
    Ok(Json(reviews::review(&app, &person, &row, content)))
}

/// `POST /api/v1/proposals/{id}/decision`.
#[utoipa::path(post, path = "/api/v1/proposals/{id}/decision", tag = "people", security(("session" = [])),
    params(("id" = Uuid, Path)), request_body = Ruling,
    responses((status = 200, body = Review), (status = 403, body = crate::http::api::openapi::ProblemShape),
        (status = 409, body = crate::http::api::openapi::ProblemShape), (status = 410, body = crate::http::api::openapi::ProblemShape),
        (status = 422, body = crate::http::api::openapi::ProblemShape)))]
pub async fn decide(
    State(app): State<AppState>,
    person: Person,
    Path(id): Path<Uuid>,
    Body(ruling): Body<Ruling>,
) -> Result<Json<Review>> {
    // Read first: once it is decided, nothing may fail that would hide it.
    let mut conn = app.db.acquire().await?;
    let content = store::proposals::content(&mut conn, id).await?.ok_or_else(Error::not_found)?;
    drop(conn);
    let row = decide::decide(&app, &person, id, &ruling).await?;
    Ok(Json(reviews::review(&app, &person, &row, content)))
}
