//! Somebody who takes notices: writes down what came, and answers as told.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::support::app::TestApp;

/// One POST.
#[derive(Clone, Debug)]
pub struct Came {
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Came {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

#[derive(Default)]
struct Desk {
    came: Mutex<Vec<Came>>,
    status: Mutex<u16>,
    bell: Notify,
}

pub struct Receiver {
    pub url: String,
    desk: Arc<Desk>,
}

impl Receiver {
    pub async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/topic", listener.local_addr().unwrap());
        let desk = Arc::new(Desk { status: Mutex::new(200), ..Desk::default() });
        let at = Arc::clone(&desk);
        let router = Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: String| {
            let at = Arc::clone(&at);
            async move { at.take(Came { path: uri.to_string(), headers, body }) }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, desk }
    }

    /// From now on it answers with this.
    pub fn answer(&self, status: u16) {
        *self.desk.status.lock().unwrap() = status;
    }

    /// What has come so far.
    pub fn came(&self) -> Vec<Came> {
        self.desk.came.lock().unwrap().clone()
    }

    /// Waits until so many have come.
    pub async fn wait(&self, many: usize) -> Vec<Came> {
        let waiting = async {
            loop {
                let bell = self.desk.bell.notified();
                if self.came().len() >= many {
                    return self.came();
                }
                bell.await;
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_secs(10), waiting).await;
        waited.unwrap_or_else(|_| panic!("{many} were expected, {:?} came", self.came()))
    }
}

impl Desk {
    fn take(&self, came: Came) -> Response {
        self.came.lock().unwrap().push(came);
        self.bell.notify_one();
        let status = *self.status.lock().unwrap();
        let there = [("location", "/elsewhere")];
        (StatusCode::from_u16(status).unwrap(), there, "x".repeat(1 << 20)).into_response()
    }
}

impl TestApp {
    /// Notices go to a receiver from here on.
    pub async fn notify(&self, receiver: &Receiver, format: &str) {
        let settings = json!({ "notify_url": receiver.url, "notify_format": format, "notify_allow": ["127.0.0.1"] });
        self.machine().patch("/api/v1/settings", &settings).await.assert_status(200);
    }
}
