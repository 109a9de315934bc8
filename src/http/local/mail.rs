//! Mail from the machine to a lane's agents.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::error::Result;
use crate::flows::mail::{self, By, Letter, Mail, Sent};
use crate::http::api::mail::answer;
use crate::http::extract::{Body, Path};

/// `POST /api/v1/lanes/{lane}/mail`.
pub async fn send(
    State(app): State<AppState>,
    admin: LocalAdmin,
    Path(lane): Path<String>,
    Body(mail): Body<Mail>,
) -> Result<(StatusCode, Json<Sent>)> {
    let letter = Letter { lane: &lane, body: &mail.body, reply_to: None };
    mail::send(&app, By::Admin(&admin), &letter).await.map(answer)
}
