//! `countersign watch`: what happens, as it happens, in the terminal.

use std::path::PathBuf;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, header};
use clap::Args;
use futures_util::StreamExt;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

use super::failure::{Failure, Outcome};
use super::out;
use super::secret::Stdin;
use super::table::{moment, text};
use crate::config::PublicUrl;
use crate::pane::remote::Remote;

/// The verb.
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The server's address, as people type it.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:7440")]
    server: PublicUrl,
    /// Watches as an agent: the file with its token.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "password_stdin"])]
    token_file: Option<PathBuf>,
    /// Watches as a person [default: asked on the terminal].
    #[arg(long = "as", value_name = "NAME")]
    user: Option<String>,
    /// Reads that person's password from a line of standard input.
    #[arg(long, requires = "user")]
    password_stdin: bool,
    /// The certificates to trust for https, PEM [default: the system's].
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Prints each event as a line of JSON.
    #[arg(long)]
    json: bool,
}

/// How long to wait before coming back.
const PAUSE: Duration = Duration::from_secs(2);
/// The close code of an ended session.
const SIGNED_OUT: u16 = 4401;

/// Runs until it is interrupted, or signed out.
pub async fn run(args: WatchArgs) -> Outcome {
    let remote = Remote::new(args.server.clone(), args.ca.clone())?;
    let credential = match &args.token_file {
        Some(file) => bearer(file)?,
        None => sign_in(&remote, &args).await?,
    };
    let mut watcher = Watcher { remote, credential, as_json: args.json, cursor: None, connected: false };
    loop {
        let why = watcher.follow().await?;
        if !watcher.connected {
            return Err(Failure::failed(why));
        }
        eprintln!("countersign: {}; coming back", out::visible(&why));
        sleep(PAUSE).await;
    }
}

struct Watcher {
    remote: Remote,
    credential: Credential,
    as_json: bool,
    /// Where to resume.
    cursor: Option<String>,
    /// Whether it has worked before: then a fault is waited out.
    connected: bool,
}

type Credential = (HeaderName, HeaderValue);

fn header_value(text: &str) -> Outcome<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Failure::usage("the credential has characters that no header takes"))
}

fn bearer(file: &PathBuf) -> Outcome<Credential> {
    let token = std::fs::read_to_string(file)
        .map_err(|error| Failure::failed(format!("cannot read {}: {error}", file.display())))?;
    Ok((header::AUTHORIZATION, header_value(&format!("Bearer {}", token.trim()))?))
}

async fn sign_in(remote: &Remote, args: &WatchArgs) -> Outcome<Credential> {
    let stdin = Stdin;
    let name = match &args.user {
        Some(name) => name.clone(),
        None => stdin.ask_line("Name: ")?,
    };
    let password = if args.password_stdin {
        stdin.line("the password")?
    } else {
        stdin.ask_hidden(&format!("Password of {name}: "))?
    };
    let request = Request::post("/api/v1/session")
        .header(header::HOST, remote.url().host())
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(json!({"username": name, "password": password}).to_string()))
        .map_err(|error| Failure::usage(error.to_string()))?;
    let response = remote.send(request).await?;
    if !response.status().is_success() {
        let body = response.into_body().collect().await;
        let said: Value = body.ok().and_then(|body| serde_json::from_slice(&body.to_bytes()).ok()).unwrap_or_default();
        return Err(Failure::failed(said["detail"].as_str().unwrap_or("the server refused to sign in")));
    }
    let cookie = session(response.headers()).ok_or_else(|| Failure::failed("the server set no cookie"))?;
    Ok((header::COOKIE, header_value(&cookie)?))
}

fn session(headers: &HeaderMap) -> Option<String> {
    let set = headers.get(header::SET_COOKIE)?.to_str().ok()?;
    set.split(';').next().map(str::to_owned)
}

impl Watcher {
    /// One connection, to its end; the answer is why it ended, where coming back makes sense.
    async fn follow(&mut self) -> Outcome<String> {
        let stream = match self.remote.connect().await {
            Ok(stream) => stream,
            Err(error) => return Ok(error.to_string()),
        };
        let mut socket = match tokio_tungstenite::client_async(self.request()?, stream).await {
            Ok((socket, _)) => socket,
            Err(tungstenite::Error::Http(answer)) if answer.status().is_client_error() => {
                return Err(self.refused(answer.status()));
            }
            Err(error) => return Ok(error.to_string()),
        };
        self.connected = true;
        while let Some(message) = socket.next().await {
            match message {
                Ok(Message::Text(frame)) => self.show(&serde_json::from_str(&frame)?),
                Ok(Message::Close(Some(close))) if u16::from(close.code) == SIGNED_OUT => {
                    return Err(Failure::failed("signed out"));
                }
                Ok(Message::Close(close)) => {
                    return Ok(close.map_or_else(|| "closed".into(), |close| close.reason.to_string()));
                }
                Ok(_) => {}
                Err(error) => return Ok(error.to_string()),
            }
        }
        Ok("the connection ended".into())
    }

    fn refused(&self, status: StatusCode) -> Failure {
        let by_token = self.credential.0 == header::AUTHORIZATION;
        Failure::failed(match status {
            StatusCode::UNAUTHORIZED if by_token => {
                "the server does not accept this token: it is mistyped, or was rotated or revoked; `countersign agent rotate NAME` makes another".to_owned()
            }
            StatusCode::UNAUTHORIZED => "signed out".to_owned(),
            other => format!("the server refused: {other}"),
        })
    }

    fn request(&self) -> Outcome<tungstenite::handshake::client::Request> {
        let url = self.remote.url();
        let scheme = if url.is_https() { "wss" } else { "ws" };
        let after = self.cursor.as_ref().map(|cursor| format!("?after={cursor}")).unwrap_or_default();
        let address = format!("{scheme}://{}/api/v1/events{after}", url.host());
        let mut request = address.into_client_request().map_err(|error| Failure::usage(error.to_string()))?;
        let (name, value) = self.credential.clone();
        request.headers_mut().insert(name, value);
        request.headers_mut().insert(header::ORIGIN, header_value(&url.origin())?);
        Ok(request)
    }

    fn show(&mut self, frame: &Value) {
        if let Some(cursor) = frame["cursor"].as_str() {
            self.cursor = Some(cursor.to_owned());
        }
        out::line(if self.as_json { frame.to_string() } else { line(frame) });
    }
}

fn line(frame: &Value) -> String {
    let mut words = vec![moment(&frame["at"]), text(&frame["type"])];
    words.extend(["lane", "proposal_id"].iter().filter_map(|name| frame[*name].as_str().map(str::to_owned)));
    words.extend(frame["data"]["head"].as_str().map(str::to_owned));
    words.join("  ")
}
