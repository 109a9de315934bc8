//! `GET /api/v1/events`: hints for pages and programs, server to client only. Fed by the journal's tail, resumed by cursor.

mod pump;
mod watcher;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::AppState;
use crate::error::{Code, Error, Problem, Result};
use crate::http::extract::Query;
use crate::hub::frame::Cursor;

use pump::Start;
pub use watcher::Watcher;

/// Where to resume.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct After {
    /// The cursor of the last frame that was applied; without it, from now on.
    pub after: Option<String>,
}

/// From where a socket goes on.
#[derive(Clone, Copy, Debug)]
enum Resume {
    /// From now on.
    Now,
    /// Behind this position.
    After(Cursor),
    /// The cursor is one from somewhere else: the client starts over.
    Unreadable,
}

/// `GET /api/v1/events`. Close codes: 4401 signed out, 1012 restart, 1013 too slow.
#[utoipa::path(get, path = "/api/v1/events", tag = "people", security(("session" = []), ("agent" = [])), params(After),
    responses((status = 101, description = "Frames: cursor, type, at, proposal_id, version, lane, data"),
        (status = 403, body = crate::http::api::openapi::ProblemShape)))]
pub async fn socket(
    State(app): State<AppState>,
    headers: HeaderMap,
    watcher: Watcher,
    Query(After { after }): Query<After>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response> {
    check_origin(&app, &headers, &watcher)?;
    let upgrade =
        upgrade.map_err(|_| Problem::new(Code::Malformed, "This address takes WebSocket handshakes only."))?;
    let after = match after.map(|text| text.parse()) {
        None => Resume::Now,
        Some(Ok(cursor)) => Resume::After(cursor),
        Some(Err(())) => Resume::Unreadable,
    };
    // The defaults cost 134 KiB a socket (measured); frames out are small and nothing but pongs comes in.
    let upgrade = upgrade
        .read_buffer_size(1024)
        .write_buffer_size(0)
        .max_write_buffer_size(64 * 1024)
        .max_message_size(4 * 1024)
        .max_frame_size(4 * 1024);
    // From here on nothing is missed: who has the answer may rely on hearing what happens after it.
    let frames = app.hub.subscribe();
    let start = Start { frames, here: app.hub.position(), after };
    // Boxed, because the task that polls it has room for it three times over otherwise: 16 KiB a socket.
    Ok(upgrade.on_upgrade(move |socket| Box::pin(pump::run(app, socket, watcher, start))))
}

/// A browser sends its origin and cannot lie about it: another site's page must not listen with somebody's cookie.
fn check_origin(app: &AppState, headers: &HeaderMap, watcher: &Watcher) -> Result<()> {
    let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or_default());
    match origin {
        Some(origin) if origin.eq_ignore_ascii_case(&app.public_url.origin()) => Ok(()),
        None if watcher.is_agent() => Ok(()),
        _ => Err(Error::from(Problem::new(Code::CrossSite, "Sockets are opened by this server's own pages only."))),
    }
}
