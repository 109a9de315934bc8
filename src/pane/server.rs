//! What the client says to the server and hears from it: the contract's calls, over connections that are kept.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::timeout;
use uuid::Uuid;

use super::discover::Lane;
use super::remote::{Remote, RemoteError};
use super::wire::{Order, Posted};
use crate::domain::order::OutcomeReport;
use crate::domain::pane::PaneReport;
use crate::domain::report::Report;
use crate::domain::secret::Secret;

/// No call without a wait takes longer.
const PATIENCE: Duration = Duration::from_secs(15);
/// No answer is larger.
const ANSWER_MAX: usize = 8 << 20;
/// How long a token is used: it lasts fifteen minutes by the contract, and the two clocks need not agree.
const USED: Duration = Duration::from_mins(13);

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The server is not there, is overloaded or failed: the same call may work later.
    #[error("{0}")]
    Away(String),
    /// It understood and refused: the same call will be refused again.
    #[error("the server refused: {detail} ({status} {code})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The stable code.
        code: String,
        /// Its words.
        detail: String,
    },
}

impl Trouble {
    /// Whether the token is what was refused.
    pub fn is_token(&self) -> bool {
        matches!(self, Self::Refused { status: 401, .. })
    }
}

impl From<RemoteError> for Trouble {
    fn from(error: RemoteError) -> Self {
        Self::Away(error.to_string())
    }
}

#[derive(Deserialize)]
struct Issued {
    token: Secret,
    lanes: Vec<Lane>,
}

#[derive(Deserialize)]
struct Orders {
    items: Vec<Order>,
}

struct Token {
    text: Secret,
    until: Instant,
}

/// The server. Calls that wait have a connection of their own, so that they keep no other waiting.
pub struct Server {
    remote: Remote,
    secret: Secret,
    token: Mutex<Option<Token>>,
    calls: Mutex<Option<SendRequest<Body>>>,
    waits: Mutex<Option<SendRequest<Body>>>,
}

impl Server {
    /// A server, for the holder of a `csp_…` token.
    pub fn new(remote: Remote, secret: Secret) -> Self {
        Self { remote, secret, token: Mutex::default(), calls: Mutex::default(), waits: Mutex::default() }
    }

    /// Its address.
    pub fn address(&self) -> String {
        self.remote.url().to_string()
    }

    /// Changes the long-lived token for a short-lived one; the answer is what this client watches.
    pub async fn sign_in(&self) -> Result<Vec<Lane>, Trouble> {
        let mut token = self.token.lock().await;
        Ok(self.exchange(&mut token).await?.lanes)
    }

    async fn exchange(&self, token: &mut Option<Token>) -> Result<Issued, Trouble> {
        let call = Call { method: Method::POST, path: "/api/v1/pane/token", body: Some("{}".to_owned()) };
        let answer = self.answer(&self.calls, &call, &self.secret, PATIENCE).await?;
        let issued: Issued = read(answer).await?;
        *token = Some(Token { text: issued.token.clone(), until: Instant::now() + USED });
        Ok(issued)
    }

    /// Says how a pane stands.
    pub async fn put_pane(&self, key: &str, pane: &PaneReport) -> Result<(), Trouble> {
        self.call(Method::PUT, &format!("/api/v1/panes/{key}"), pane).await.map(|IgnoredAny| ())
    }

    /// Reports a dialog.
    pub async fn post_dialog(&self, report: &Report) -> Result<Posted, Trouble> {
        self.call(Method::POST, "/api/v1/dialogs", report).await
    }

    /// Says that a dialog is gone.
    pub async fn close(&self, id: Uuid, reason: &str) -> Result<(), Trouble> {
        let body = serde_json::json!({ "reason": reason });
        self.call(Method::POST, &format!("/api/v1/dialogs/{id}/close"), &body).await.map(|IgnoredAny| ())
    }

    /// Takes orders, or waits so long for one.
    pub async fn orders(&self, wait: Duration) -> Result<Vec<Order>, Trouble> {
        let path = format!("/api/v1/orders?wait={}", wait.as_secs());
        let call = Call { method: Method::GET, path: &path, body: None };
        let token = self.token().await?;
        let answer = self.answer(&self.waits, &call, &token, wait + PATIENCE).await?;
        let orders: Orders = self.noticed(read(answer).await).await?;
        Ok(orders.items)
    }

    /// Says what became of an order.
    pub async fn outcome(&self, id: Uuid, report: &OutcomeReport) -> Result<(), Trouble> {
        self.call(Method::POST, &format!("/api/v1/orders/{id}/outcome"), report).await.map(|IgnoredAny| ())
    }

    async fn call<T: DeserializeOwned>(&self, method: Method, path: &str, body: &impl Serialize) -> Result<T, Trouble> {
        let body = serde_json::to_string(body).map_err(|error| Trouble::Away(error.to_string()))?;
        let call = Call { method, path, body: Some(body) };
        let token = self.token().await?;
        let answer = self.answer(&self.calls, &call, &token, PATIENCE).await?;
        self.noticed(read(answer).await).await
    }

    /// A token that was refused is not used again; the next call gets another.
    async fn noticed<T>(&self, answer: Result<T, Trouble>) -> Result<T, Trouble> {
        if answer.as_ref().is_err_and(Trouble::is_token) {
            *self.token.lock().await = None;
        }
        answer
    }

    async fn token(&self) -> Result<Secret, Trouble> {
        let mut token = self.token.lock().await;
        if let Some(token) = token.as_ref().filter(|token| Instant::now() < token.until) {
            return Ok(token.text.clone());
        }
        Ok(self.exchange(&mut token).await?.token)
    }

    /// Sends, and waits no longer for the answer's beginning than this.
    async fn answer(
        &self,
        kept: &Mutex<Option<SendRequest<Body>>>,
        call: &Call<'_>,
        secret: &Secret,
        patience: Duration,
    ) -> Result<Response<Incoming>, Trouble> {
        let silent = |_| Trouble::Away(format!("{} did not answer in time", self.remote.url()));
        timeout(patience, self.send(kept, call, secret)).await.map_err(silent)?
    }

    /// Sends on a kept connection. One that the server has closed meanwhile is opened once more; every call of the
    /// contract can be repeated.
    async fn send(
        &self,
        kept: &Mutex<Option<SendRequest<Body>>>,
        call: &Call<'_>,
        secret: &Secret,
    ) -> Result<Response<Incoming>, Trouble> {
        let mut kept = kept.lock().await;
        if let Some(mut sender) = kept.take()
            && sender.ready().await.is_ok()
            && let Ok(answer) = sender.send_request(self.request(call, secret)?).await
        {
            *kept = Some(sender);
            return Ok(answer);
        }
        let mut sender = self.remote.open().await?;
        let answer = sender.send_request(self.request(call, secret)?).await;
        let answer = answer.map_err(|error| self.remote.hung_up(&error))?;
        *kept = Some(sender);
        Ok(answer)
    }

    fn request(&self, call: &Call<'_>, secret: &Secret) -> Result<Request<Body>, Trouble> {
        Request::builder()
            .method(call.method.clone())
            .uri(call.path)
            .header(header::HOST, self.remote.url().host())
            .header(header::AUTHORIZATION, format!("Bearer {}", secret.reveal()))
            .header(header::CONTENT_TYPE, "application/json")
            .body(call.body.clone().map_or_else(Body::empty, Body::from))
            .map_err(|error| Trouble::Away(error.to_string()))
    }
}

struct Call<'a> {
    method: Method,
    path: &'a str,
    body: Option<String>,
}

async fn read<T: DeserializeOwned>(answer: Response<Incoming>) -> Result<T, Trouble> {
    let status = answer.status();
    let body = timeout(PATIENCE, Limited::new(answer.into_body(), ANSWER_MAX).collect());
    let body = body.await.map_err(|_| Trouble::Away("the server's answer stopped in the middle".to_owned()))?;
    let body = body.map_err(|error| Trouble::Away(format!("the server's answer broke off: {error}")))?.to_bytes();
    if status.is_success() {
        let text: &[u8] = if body.is_empty() { b"null" } else { &body };
        return serde_json::from_slice(text)
            .map_err(|error| Trouble::Away(format!("the server's answer cannot be read: {error}")));
    }
    let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
    let said = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::REQUEST_TIMEOUT {
        return Err(Trouble::Away(format!("the server answered {status}: {}", said("detail"))));
    }
    // A proxy says so while its server starts; a refusal of the server's own has a code.
    if said("code").is_empty() {
        return Err(Trouble::Away(format!("something else than Countersign answered {status}")));
    }
    Err(Trouble::Refused { status: status.as_u16(), code: said("code"), detail: said("detail") })
}
