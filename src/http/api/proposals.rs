//! Proposals, for agents (contract, section 3).

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::Agent;
use crate::auth::extract::Remembered;
use crate::domain::ask::{Ask, WAIT_MAX};
use crate::domain::proposal::Status;
use crate::error::{Error, Result};
use crate::flows::proposals::check::{Look, Seen};
use crate::flows::proposals::shape::Proposal;
use crate::flows::proposals::{ack, check, propose, reviews, shape, withdraw};
use crate::http::extract::{Body, Path, Query};
use crate::store::proposals::list::Filter;

/// A page of a list, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The items.
    pub items: Vec<T>,
    /// The id to give as `before` for the next page; null at the end.
    pub next: Option<Uuid>,
}

/// `POST /api/v1/proposals`.
#[utoipa::path(post, path = "/api/v1/proposals", tag = "agents", security(("agent" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the same proposal")),
    request_body = Ask,
    responses((status = 201, body = Proposal), (status = 200, description = "Joined or replayed", body = Proposal),
        (status = 422, body = crate::http::api::openapi::ProblemShape), (status = 429, body = crate::http::api::openapi::ProblemShape)))]
pub async fn create(
    State(app): State<AppState>,
    Remembered(agent): Remembered,
    headers: HeaderMap,
    Body(ask): Body<Ask>,
) -> Result<Response> {
    let key = match headers.get("idempotency-key").map(HeaderValue::to_str) {
        None => None,
        Some(Ok(key)) => Some(key.to_owned()),
        Some(Err(_)) => return Err(Error::invalid("Idempotency-Key", "takes plain ASCII")),
    };
    let proposed = propose::propose(&app, &agent, ask, key).await?;
    let status = if proposed.new { StatusCode::CREATED } else { StatusCode::OK };
    let shape = shape::proposal(&app, &proposed.row, proposed.joined);
    Ok((status, with_version(shape)).into_response())
}

/// A proposal with its ETag.
fn with_version(shape: Proposal) -> Response {
    let etag = etag(shape.version);
    let retry_after = shape.retry_after.map(HeaderValue::from);
    let mut response = Json(shape).into_response();
    response.headers_mut().insert(header::ETAG, etag);
    if let Some(secs) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, secs);
    }
    response
}

fn etag(version: i32) -> HeaderValue {
    // Digits and ASCII letters are always a header value.
    HeaderValue::from_str(&format!("\"v{version}\"")).unwrap_or_else(|_| HeaderValue::from_static("\"v0\""))
}

/// The version in an `If-None-Match`; anything else is no version we ever gave.
fn known(headers: &HeaderMap) -> Option<i32> {
    let value = headers.get(header::IF_NONE_MATCH)?.to_str().ok()?.trim();
    let value = value.strip_prefix("W/").unwrap_or(value);
    value.strip_prefix("\"v")?.strip_suffix('"')?.parse().ok()
}

/// How long to wait.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wait {
    /// Seconds to wait for a change, 0 to 45.
    #[serde(default)]
    pub wait: u32,
}

/// Checks how long somebody wants to wait.
pub(super) fn check_wait(secs: u32) -> Result<()> {
    if secs > WAIT_MAX { Err(Error::invalid("wait", "takes 0 to 45 seconds")) } else { Ok(()) }
}

/// `GET /api/v1/proposals/{id}`.
#[utoipa::path(get, path = "/api/v1/proposals/{id}", tag = "agents", security(("agent" = [])),
    params(("id" = Uuid, Path), Wait, ("If-None-Match" = Option<String>, Header, description = "The ETag you have")),
    responses((status = 200, body = Proposal), (status = 304, description = "Still the version you have"),
        (status = 404, body = crate::http::api::openapi::ProblemShape)))]
pub async fn get(
    State(app): State<AppState>,
    agent: Agent,
    Path(id): Path<Uuid>,
    Query(Wait { wait }): Query<Wait>,
    headers: HeaderMap,
) -> Result<Response> {
    check_wait(wait)?;
    let look = Look { known: known(&headers), wait: Duration::from_secs(u64::from(wait)) };
    match check::check(&app, &agent, id, look).await? {
        Seen::Now(row) => Ok(with_version(shape::proposal(&app, &row, false))),
        Seen::Unchanged(version) => {
            // Up to two seconds apart, so that many agents do not come back in one herd.
            let jitter = u64::from(id.as_bytes()[15] % 3);
            let headers = [(header::ETAG, etag(version)), (header::RETRY_AFTER, HeaderValue::from(jitter))];
            Ok((StatusCode::NOT_MODIFIED, headers).into_response())
        }
    }
}

/// Which proposals of the agent's own lane.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only this status.
    pub status: Option<Status>,
    /// At most so many, 1 to 200; 50 when absent.
    pub limit: Option<i64>,
    /// Only those made before this one.
    pub before: Option<Uuid>,
}

/// Checks a list's limit.
pub fn page_size(limit: Option<i64>) -> Result<i64> {
    let limit = limit.unwrap_or(50);
    if (1..=200).contains(&limit) { Ok(limit) } else { Err(Error::invalid("limit", "takes 1 to 200")) }
}

/// Puts a page together from one row more than fits.
pub fn page<R, T>(rows: &[R], limit: i64, id: impl Fn(&R) -> Uuid, shape: impl Fn(&R) -> T) -> List<T> {
    let limit = usize::try_from(limit).unwrap_or(0);
    let next = (rows.len() > limit).then(|| rows.get(limit.saturating_sub(1)).map(&id)).flatten();
    List { items: rows.iter().take(limit).map(shape).collect(), next }
}

/// `GET /api/v1/proposals`.
#[utoipa::path(get, path = "/api/v1/proposals", tag = "agents", security(("agent" = [])), params(Which),
    responses((status = 200, body = List<Proposal>)))]
pub async fn list(
    State(app): State<AppState>,
    agent: Agent,
    Query(which): Query<Which>,
) -> Result<Json<List<Proposal>>> {
    let limit = page_size(which.limit)?;
    let filter = Filter {
        lanes: vec![agent.lane().id],
        statuses: which.status.map(|status| status.as_str().to_owned()).into_iter().collect(),
        before: which.before,
        limit: limit + 1,
        ..Filter::default()
    };
    let rows = reviews::list(&app, &filter).await?;
    Ok(Json(page(&rows, limit, |row| row.id, |row| shape::proposal(&app, row, false))))
}

/// `POST /api/v1/proposals/{id}/ack`.
#[utoipa::path(post, path = "/api/v1/proposals/{id}/ack", tag = "agents", security(("agent" = [])),
    params(("id" = Uuid, Path)), responses((status = 204, description = "Archived"), (status = 409, body = crate::http::api::openapi::ProblemShape)))]
pub async fn ack(State(app): State<AppState>, agent: Agent, Path(id): Path<Uuid>) -> Result<StatusCode> {
    ack::ack(&app, &agent, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The body of `POST …/withdraw`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Why, for the people who were about to read it.
    #[serde(default)]
    pub reason: String,
}

/// `POST /api/v1/proposals/{id}/withdraw`.
#[utoipa::path(post, path = "/api/v1/proposals/{id}/withdraw", tag = "agents", security(("agent" = [])),
    params(("id" = Uuid, Path)), request_body = Withdraw,
    responses((status = 200, body = Proposal), (status = 409, body = crate::http::api::openapi::ProblemShape)))]
pub async fn withdraw(
    State(app): State<AppState>,
    agent: Agent,
    Path(id): Path<Uuid>,
    Body(body): Body<Withdraw>,
) -> Result<Response> {
    let row = withdraw::withdraw(&app, &agent, id, &body.reason).await?;
    Ok(with_version(shape::proposal(&app, &row, false)))
}
