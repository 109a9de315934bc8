//! The WebSocket client judged by itself: headers arrive, refusals keep their status, closings keep their code.

use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;

use crate::support::socket::Socket;

async fn events(headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if headers.get("cookie").is_none_or(|cookie| cookie != "who=me") {
        return StatusCode::FORBIDDEN.into_response();
    }
    upgrade.on_upgrade(async |mut socket| {
        let frames = [
            Message::Ping(Vec::new().into()),
            Message::text(json!({ "type": "first" }).to_string()),
            Message::text(json!({ "type": "second", "n": 2 }).to_string()),
            Message::Close(Some(CloseFrame { code: 4401, reason: "over".into() })),
        ];
        for frame in frames {
            socket.send(frame).await.unwrap();
        }
    })
}

#[tokio::test]
async fn frames_refusals_and_closings_are_told_apart() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/events", get(events));
    tokio::spawn(async move { axum::serve(listener, router).await });

    let refused = Socket::open(&base, "/events", &[("cookie", "who=other")]).await;
    assert_eq!(refused.err(), Some(403));
    let mut socket = Socket::open(&base, "/events", &[("cookie", "who=me")]).await.ok().unwrap();
    assert_eq!(socket.next().await["type"], "first");
    assert_eq!(socket.next_of("second").await["n"], 2);
    assert_eq!(socket.close_code().await, 4401);
}
