//! A subscriber of the live events, over a real WebSocket.

use std::time::Duration;

use futures_util::StreamExt;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::{Error, Message};

/// Longer than any event may take, short enough to read the failure.
const PATIENCE: Duration = Duration::from_secs(10);

pub struct Socket {
    stream: WebSocketStream<TcpStream>,
}

impl Socket {
    /// Opens `path` of a service with these headers; the status of the refusal when it is refused.
    pub async fn open(base: &str, path: &str, headers: &[(&'static str, &str)]) -> Result<Self, u16> {
        let address = base.trim_start_matches("http://");
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).unwrap();
            request.headers_mut().insert(HeaderName::from_static(name), value);
        }
        let tcp = TcpStream::connect(address).await.unwrap();
        match tokio_tungstenite::client_async(request, tcp).await {
            Ok((stream, _)) => Ok(Self { stream }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    /// The next event; pings are answered on the way.
    pub async fn next(&mut self) -> Value {
        match self.message().await {
            Message::Text(text) => serde_json::from_str(&text).unwrap(),
            other => panic!("an event was expected, not {other:?}"),
        }
    }

    /// The next event of this type; others are passed over.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await;
            if event["type"] == kind {
                return event;
            }
        }
    }

    /// The next episode of this cause that is raised; others are passed over.
    pub async fn next_raised(&mut self, cause: &str) -> Value {
        self.next_need("needs_you.raised", cause).await
    }

    /// The next episode of this cause that is cleared; others are passed over.
    pub async fn next_cleared(&mut self, cause: &str) -> Value {
        self.next_need("needs_you.cleared", cause).await
    }

    async fn next_need(&mut self, kind: &str, cause: &str) -> Value {
        loop {
            let event = self.next_of(kind).await;
            if event["data"]["cause"] == cause {
                return event;
            }
        }
    }

    /// The code with which the server closes; events before it are passed over.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            if let Message::Close(frame) = self.message().await {
                return frame.map_or(1005, |frame| frame.code.into());
            }
        }
    }

    async fn message(&mut self) -> Message {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.stream.next()).await;
            match next.expect("nothing came").expect("the socket ended").unwrap() {
                Message::Ping(_) | Message::Pong(_) => {}
                message => return message,
            }
        }
    }
}
