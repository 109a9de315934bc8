//! `POST /setup`: the first person, as JSON. The page and its form are in `pages`.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::session::begun;
use crate::app::AppState;
use crate::auth::source::Client;
use crate::error::Result;
use crate::flows;
use crate::flows::people::SetUp;
use crate::http::extract::Body;

/// Makes the first admin and signs them in; 404 for ever after.
pub async fn set_up(State(app): State<AppState>, client: Client, Body(body): Body<SetUp>) -> Result<Response> {
    let opened = flows::people::set_up(&app, body, &client).await?;
    begun(&app, StatusCode::CREATED, opened)
}
