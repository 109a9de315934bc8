//! The MCP server: what an agent's own client speaks, in both eras of the protocol, on `POST /mcp`.
//!
//! rmcp carries the protocol; this module is what it serves. Every request is served by itself and for one agent: there
//! are no sessions, so a second server misses nothing, and whom a call is from, its bearer alone says.
//!
//! What a proposal has come to, a client of the newer era may listen for (`resources`), or have as a task (`tasks`). The
//! older era has both only within sessions, so there its clients ask `check-proposal`.
//!
//! To add a tool: write `async fn tool(app: &AppState, agent: &Agent, args: Args) -> Result<Answer>`, where `Args` derives
//! `Deserialize` and `ToSchema` and denies unknown fields, and give it a row in [`tools::TOOLS`]. A tool may take its
//! time: every call sends progress to whoever asked for it, and is dropped when its caller hangs up (`progress`).

mod check;
mod decided;
mod desk;
mod fleet;
mod messages;
mod misread;
mod progress;
mod propose;
mod resources;
pub mod results;
mod schema;
mod supervision;
mod tasks;
pub mod tools;

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use http_body_util::Full;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::app::AppState;
use crate::auth::Agent;
use desk::Desk;

/// Serves one request of one agent. Host, origin, size and bearer were checked at the door.
pub async fn serve(app: AppState, agent: Agent, request: Request<Full<Bytes>>) -> Response<Body> {
    // What is answered without progress is plain JSON. No stream is cut when the server stops: whoever waits in one is
    // answered, and leaves.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts();
    let desk = Desk::new(app, agent);
    let service = StreamableHttpService::new(move || Ok(desk.clone()), Arc::<NeverSessionManager>::default(), config);
    service.handle(request).await.map(Body::new)
}
