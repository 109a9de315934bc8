//! The wire: one WebSocket to the browser on a thread of its own, so that it outlives every test's runtime.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::Observed;

type Answer = Result<Value, String>;

/// What each tab has shown so far, by session.
type Sessions = Arc<Mutex<HashMap<String, watch::Sender<Observed>>>>;

pub struct Cdp {
    calls: mpsc::UnboundedSender<Call>,
    sessions: Sessions,
}

struct Call {
    session: Option<String>,
    method: &'static str,
    params: Value,
    answer: Option<oneshot::Sender<Answer>>,
}

impl Cdp {
    pub fn connect(url: String) -> Self {
        let (calls, queue) = mpsc::unbounded_channel();
        let sessions = Sessions::default();
        let shared = Arc::clone(&sessions);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let address = url.trim_start_matches("ws://").split('/').next().unwrap();
                let stream = TcpStream::connect(address).await.unwrap();
                let (socket, _) = tokio_tungstenite::client_async(url.as_str(), stream).await.unwrap();
                pump(socket, queue, shared).await;
            });
        });
        Self { calls, sessions }
    }

    /// Calls a method, of a tab or of the browser itself.
    pub async fn call(&self, session: Option<&str>, method: &'static str, params: Value) -> Answer {
        let (answer, answered) = oneshot::channel();
        let call = Call { session: session.map(str::to_owned), method, params, answer: Some(answer) };
        self.calls.send(call).map_err(|_| "the browser is gone".to_owned())?;
        answered.await.map_err(|_| "the browser is gone".to_owned())?
    }

    /// Calls a method that has no reason to fail.
    pub async fn must(&self, session: Option<&str>, method: &'static str, params: Value) -> Value {
        self.call(session, method, params).await.unwrap_or_else(|e| panic!("{method}: {e}"))
    }

    /// Calls a method from a place that cannot wait.
    pub fn send_and_forget(&self, method: &'static str, params: Value) {
        drop(self.calls.send(Call { session: None, method, params, answer: None }));
    }

    pub fn observe(&self, session: &str) -> watch::Receiver<Observed> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.entry(session.to_owned()).or_default().subscribe()
    }
}

async fn pump(mut socket: WebSocketStream<TcpStream>, mut queue: mpsc::UnboundedReceiver<Call>, sessions: Sessions) {
    let mut waiting: HashMap<u64, oneshot::Sender<Answer>> = HashMap::new();
    let mut next = 0_u64;
    loop {
        tokio::select! {
            call = queue.recv() => {
                let Some(call) = call else { return };
                next += 1;
                let mut frame = json!({ "id": next, "method": call.method, "params": call.params });
                if let Some(session) = call.session {
                    frame["sessionId"] = session.into();
                }
                if let Some(answer) = call.answer {
                    waiting.insert(next, answer);
                }
                if socket.send(Message::text(frame.to_string())).await.is_err() { return }
            }
            frame = socket.next() => {
                let Some(Ok(frame)) = frame else { return };
                let Ok(frame) = frame.to_text().map(serde_json::from_str::<Value>) else { continue };
                let Ok(frame) = frame else { continue };
                if let Some(id) = frame["id"].as_u64() {
                    if let Some(answer) = waiting.remove(&id) {
                        drop(answer.send(outcome(frame)));
                    }
                } else {
                    tell(&sessions, &frame);
                }
            }
        }
    }
}

fn outcome(mut frame: Value) -> Answer {
    match frame["error"].take() {
        Value::Null => Ok(frame["result"].take()),
        error => Err(error["message"].as_str().unwrap_or("an error without a message").to_owned()),
    }
}

fn tell(sessions: &Sessions, event: &Value) {
    let (Some(session), Some(method)) = (event["sessionId"].as_str(), event["method"].as_str()) else {
        return;
    };
    let mut sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let observed = sessions.entry(session.to_owned()).or_default();
    observed.send_if_modified(|observed| observed.fold(method, &event["params"]));
}
