//! HTTP over the server's local socket.

use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use axum::body::Body;
use axum::http::{Method, Request, Response, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde_json::Value;
use tokio::net::UnixStream;

use super::failure::{Failure, Outcome};
use crate::config::{LOCAL_SOCKET, SOCKET_PATH_MAX};
use crate::domain::secret::Secret;

/// One request.
#[derive(Debug)]
pub struct Call {
    method: Method,
    path: String,
    body: Option<Secret>,
    credential: Option<Secret>,
}

impl Call {
    /// Reads.
    pub fn get(path: &str) -> Self {
        Self { method: Method::GET, path: path.to_owned(), body: None, credential: None }
    }

    /// Removes.
    pub fn delete(path: &str) -> Self {
        Self { method: Method::DELETE, ..Self::get(path) }
    }

    /// Makes or does.
    pub fn post(path: &str, body: &impl Serialize) -> Outcome<Self> {
        Ok(Self { method: Method::POST, body: Some(serde_json::to_string(body)?.into()), ..Self::get(path) })
    }

    /// Changes.
    pub fn patch(path: &str, body: &impl Serialize) -> Outcome<Self> {
        Ok(Self { method: Method::PATCH, ..Self::post(path, body)? })
    }

    /// With an admin's name and password.
    #[must_use]
    pub fn signed(self, name: &str, password: &str) -> Self {
        let coded = BASE64_STANDARD.encode(format!("{name}:{password}"));
        Self { credential: Some(format!("Basic {coded}").into()), ..self }
    }
}

/// The local socket of a data folder.
#[derive(Debug)]
pub struct Socket {
    dir: PathBuf,
}

impl Socket {
    /// The socket of the server that runs on `dir`.
    pub fn in_dir(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Opens a connection.
    pub async fn connect(&self) -> Outcome<UnixStream> {
        let run = self.dir.join("run");
        let path = run.join(LOCAL_SOCKET);
        let opened = if path.as_os_str().len() <= SOCKET_PATH_MAX {
            UnixStream::connect(&path).await
        } else {
            match std::fs::File::open(&run) {
                Ok(folder) => UnixStream::connect(format!("/proc/self/fd/{}/{LOCAL_SOCKET}", folder.as_raw_fd())).await,
                Err(error) => Err(error),
            }
        };
        opened.map_err(|error| self.unreachable(&error))
    }

    fn unreachable(&self, error: &std::io::Error) -> Failure {
        let dir = self.dir.display();
        Failure::failed(match error.kind() {
            ErrorKind::NotFound if !self.dir.is_dir() => {
                format!(
                    "there is no data folder {dir}; name the server's with --data-dir, or start one: countersign serve --data-dir {dir}"
                )
            }
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => {
                format!("no server is running on {dir}; start it: countersign serve --data-dir {dir}")
            }
            ErrorKind::PermissionDenied => {
                format!("the server on {dir} belongs to another user; run this as that user (or as root)")
            }
            _ => format!("cannot reach the server on {dir}: {error}"),
        })
    }

    /// Sends one request; the answer's body is still on its way.
    pub async fn send(&self, call: Call) -> Outcome<Response<Incoming>> {
        let mut request = Request::builder().method(call.method).uri(call.path).header(header::HOST, "localhost");
        if let Some(credential) = call.credential {
            request = request.header(header::AUTHORIZATION, credential.reveal());
        }
        if call.body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = call.body.map_or_else(Body::empty, |body| Body::from(body.reveal().to_owned()));
        let request = request.body(body).map_err(|error| Failure::usage(error.to_string()))?;
        let response = self.pass(request).await?;
        if response.status().is_success() {
            return Ok(response);
        }
        let problem = read(response).await.unwrap_or_default();
        Err(refused(&problem))
    }

    /// Sends a request as it is and returns whatever is answered.
    pub async fn pass(&self, request: Request<Body>) -> Outcome<Response<Incoming>> {
        let stream = self.connect().await?;
        let lost = |error: hyper::Error| Failure::failed(format!("the server hung up: {error}"));
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
        tokio::spawn(connection);
        sender.send_request(request).await.map_err(lost)
    }

    /// Sends one request and reads its answer; null when it has none.
    pub async fn ask(&self, call: Call) -> Outcome<Value> {
        let response = self.send(call).await?;
        read(response).await
    }
}

async fn read(response: Response<Incoming>) -> Outcome<Value> {
    let body = response.into_body().collect().await;
    let bytes = body.map_err(|error| Failure::failed(format!("the answer broke off: {error}")))?.to_bytes();
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    Ok(serde_json::from_slice(&bytes)?)
}

fn refused(problem: &Value) -> Failure {
    let said = problem["detail"].as_str().unwrap_or("the server refused without a reason");
    let code = problem["code"].as_str().unwrap_or("unknown");
    let field = problem["field"].as_str().map(|field| format!(" ({field})")).unwrap_or_default();
    let id = problem["request_id"].as_str().unwrap_or("-");
    match code {
        "internal" => Failure::failed(format!("{said} Request id: {id}")),
        "not_found" => Failure::failed("there is nothing of that name [not_found]"),
        _ => Failure::failed(format!("{said}{field} [{code}]")),
    }
}
