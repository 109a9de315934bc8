//! A stage for plates: they are served as the product serves pages, and what a browser sends is written down.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use countersign::http::extract::Path;
use countersign::http::pages::assets;
use tokio::sync::broadcast;

use super::{Plate, plates};

/// The policy of every page (design, section 2).
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// What is on stage, and what came back.
pub struct Stage {
    pub url: String,
    /// What each address shows now: a plate's name.
    shown: Arc<Mutex<Vec<(String, &'static str)>>>,
    /// Forms that were sent: address and body.
    pub sent: Arc<Mutex<Vec<(String, String)>>>,
    frames: broadcast::Sender<String>,
}

impl Stage {
    pub async fn new() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stage = Self { url, shown: Arc::default(), sent: Arc::default(), frames: broadcast::channel(16).0 };
        let router = stage.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        stage
    }

    /// From now on an address shows this plate.
    pub fn show(&self, path: &str, plate: &'static str) {
        let mut shown = self.shown.lock().unwrap();
        shown.retain(|(known, _)| known != path);
        shown.push((path.to_owned(), plate));
    }

    /// Sends a hint to every open page.
    pub fn hint(&self, kind: &str, proposal: &str) {
        let frame = serde_json::json!({ "cursor": "c", "type": kind, "proposal_id": proposal, "data": { "outcome": "rejected", "decided_by": "jonas" } });
        // Nobody may listen yet; pages fetch themselves when their socket opens.
        drop(self.frames.send(frame.to_string()));
    }

    /// How many sockets are open.
    pub fn listeners(&self) -> usize {
        self.frames.receiver_count()
    }

    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn router(&self) -> Router {
        let (shown, sent, frames) = (Arc::clone(&self.shown), Arc::clone(&self.sent), self.frames.clone());
        let look = move |uri: axum::http::Uri| async move { find(&shown, uri.path()) };
        let take = move |uri: axum::http::Uri, body: String| async move {
            sent.lock().unwrap().push((uri.path().to_owned(), body));
            Redirect::to("/sent")
        };
        let listen = move |upgrade: WebSocketUpgrade| async move {
            let mut frames = frames.subscribe();
            upgrade.on_upgrade(async move |mut socket| {
                while let Ok(frame) = frames.recv().await {
                    if socket.send(Message::text(frame)).await.is_err() {
                        break;
                    }
                }
            })
        };
        Router::new()
            .route("/static/{version}/{name}", get(file))
            .route("/api/v1/events", get(listen))
            .route("/p/{id}/{act}", post(take))
            .fallback(get(look))
    }
}

async fn file(Path((_, name)): Path<(String, String)>) -> Response {
    let asset = assets::ALL.iter().find(|asset| asset.name == name).unwrap();
    ([(CONTENT_TYPE, asset.mime)], asset.bytes).into_response()
}

fn find(shown: &Mutex<Vec<(String, &'static str)>>, path: &str) -> Response {
    let asked = shown.lock().unwrap().iter().find(|(known, _)| known == path).map(|(_, plate)| *plate);
    let name = asked.unwrap_or_else(|| path.trim_start_matches("/plates/"));
    let Some(Plate { html, .. }) = plates().into_iter().find(|plate| plate.name == name) else {
        return axum::http::StatusCode::NOT_FOUND.into_response();
    };
    ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)], html).into_response()
}
