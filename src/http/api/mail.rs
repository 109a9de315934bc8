//! `POST /api/v1/lanes/{lane}/mail`: an approver sends mail to a lane's agents.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::mail::{self, By, Letter, Mail, Sent};
use crate::http::extract::{Body, Path};

/// `POST /api/v1/lanes/{lane}/mail`.
#[utoipa::path(post, path = "/api/v1/lanes/{lane}/mail", tag = "supervision", security(("session" = [])), request_body = Mail,
    params(("lane" = String, Path)),
    responses((status = 201, body = Sent), (status = 200, body = Sent), (status = 403, body = crate::http::api::openapi::ProblemShape),
        (status = 404, body = crate::http::api::openapi::ProblemShape), (status = 422, body = crate::http::api::openapi::ProblemShape),
        (status = 429, body = crate::http::api::openapi::ProblemShape)))]
pub async fn send(
    State(app): State<AppState>,
    person: Person,
    Path(lane): Path<String>,
    Body(mail): Body<Mail>,
) -> Result<(StatusCode, Json<Sent>)> {
    let letter = Letter { lane: &lane, body: &mail.body, reply_to: None };
    mail::send(&app, By::Person(&person), &letter).await.map(answer)
}

/// What was taken; 200 when it waited there already.
pub fn answer(sent: Sent) -> (StatusCode, Json<Sent>) {
    (if sent.joined { StatusCode::OK } else { StatusCode::CREATED }, Json(sent))
}
