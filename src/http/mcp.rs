//! `POST /mcp`: the door to the MCP server. What is refused before the protocol begins is refused in our words.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use http_body_util::Full;
use tokio::time::{sleep, timeout};

use crate::app::AppState;
use crate::auth::Agent;
use crate::error::{Code, Problem, Result};
use crate::http::extract::{bytes, is_json};
use crate::{flows, mcp};

/// After this long without an answer the stream is opened, so that no client gives up on a silent connection.
const SOON: Duration = Duration::from_millis(100);
/// How often an open stream is kept alive.
const BEAT: Duration = Duration::from_secs(15);

type Answering = BoxFuture<'static, Response>;
type Events = BoxStream<'static, Result<Bytes, axum::Error>>;

/// `POST /mcp`.
pub async fn handle(State(app): State<AppState>, agent: Agent, request: Request) -> Result<Response> {
    if !is_json(request.headers()) {
        return Err(Problem::new(Code::UnsupportedMedia, "Send a JSON-RPC message as application/json.").into());
    }
    flows::agents::mount(&app, &agent).await?;
    let (parts, body) = request.into_parts();
    let body = bytes(Request::new(body), &()).await?;
    let request = Request::from_parts(parts, Full::new(body));
    let mut answering: Answering = Box::pin(async move { in_our_words(mcp::serve(app, agent, request).await) });
    Ok(match timeout(SOON, &mut answering).await {
        Ok(response) => response,
        Err(_) => open_stream(answering),
    })
}

/// The refusals of the transport, which are bare text, as problems. What the protocol itself says is JSON, and stays.
fn in_our_words(response: Response) -> Response {
    let said = response.headers().get(header::CONTENT_TYPE).map(|value| value.as_bytes().to_vec());
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || said.as_deref() == Some(b"application/json") {
        return response;
    }
    let (code, detail) = match status {
        StatusCode::NOT_ACCEPTABLE => {
            (Code::UnsupportedMedia, "Say `Accept: application/json, text/event-stream`: an answer may be either.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (Code::Malformed, "The body is no message of MCP."),
        StatusCode::BAD_REQUEST => (
            Code::Malformed,
            "`MCP-Protocol-Version` names no version that is spoken here; `server/discover` lists them.",
        ),
        _ => (Code::Internal, "The MCP transport failed. The log has the cause under this request id."),
    };
    crate::error::Error::from(Problem::new(code, detail)).into_response()
}

/// An answer that is still to come, as a stream that is there already.
fn open_stream(answering: Answering) -> Response {
    let alive = || Bytes::from_static(b": still here\n\n");
    let waiting = stream::unfold(Some(answering), move |answering| async move {
        let mut answering = answering?;
        tokio::select! {
            response = &mut answering => Some((events(response), None)),
            () = sleep(BEAT) => Some((stream::iter([Ok(alive())]).boxed(), Some(answering))),
        }
    });
    let body = stream::iter([Ok(alive())]).chain(waiting.flatten());
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (headers, [("x-accel-buffering", "no")], Body::from_stream(body)).into_response()
}

/// The answer as events: as it is if it is a stream itself, else as one.
fn events(response: Response) -> Events {
    let is_stream = response.headers().get(header::CONTENT_TYPE).is_some_and(|said| said == "text/event-stream");
    let body = response.into_body().into_data_stream();
    if is_stream {
        return body.boxed();
    }
    let around = |text: &'static [u8]| stream::iter([Ok(Bytes::from_static(text))]);
    around(b"data: ").chain(body).chain(around(b"\n\n")).boxed()
}
