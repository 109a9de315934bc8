//! The bridge: a server on a random loopback port for one browser, which hands what it may ask to the local socket.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askama::Template;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep_until};

use super::door::{Door, Entry};
use super::{forward, owner};
use crate::cli::failure::Outcome;
use crate::cli::socket::Socket;
use crate::domain::secret::Secret;
use crate::http::layers::PROTECTION;
use crate::http::pages::form::Form;
use crate::http::pages::{Page, assets, see_other};

/// How long an unused page stays open.
pub const IDLE: Duration = Duration::from_mins(15);

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A bridge that listens; it answers once it is served.
pub struct Bridge {
    listener: TcpListener,
    gate: Arc<Gate>,
    url: Secret,
}

/// What every request needs.
pub(super) struct Gate {
    pub(super) socket: Socket,
    address: SocketAddr,
    door: Mutex<Door>,
    used: Mutex<Instant>,
}

/// The page that takes the token.
#[derive(Debug, Template)]
#[template(path = "admin/door.html")]
struct DoorPage {
    problem: Option<&'static str>,
}

impl Bridge {
    /// Binds a random port of the loopback address, for the server behind `socket`.
    pub async fn bind(socket: Socket) -> Outcome<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (door, token) = Door::new();
        // Behind the `#`, where no browser sends it to anybody and no log has it.
        let url = format!("http://{address}/#{}", token.reveal()).into();
        let gate = Gate { socket, address, door: Mutex::new(door), used: Mutex::new(Instant::now()) };
        Ok(Self { listener, gate: Arc::new(gate), url })
    }

    /// The address with its one-time token.
    pub fn url(&self) -> &str {
        self.url.reveal()
    }

    /// Serves until nobody has used it for `idle`.
    pub async fn serve(self, idle: Duration) -> Outcome {
        let router = router(&self.gate).into_make_service_with_connect_info::<SocketAddr>();
        tokio::select! {
            served = axum::serve(self.listener, router).into_future() => Ok(served?),
            () = unused(&self.gate, idle) => Ok(()),
        }
    }
}

async fn unused(gate: &Gate, idle: Duration) {
    loop {
        let end = *held(&gate.used) + idle;
        if Instant::now() >= end {
            return;
        }
        sleep_until(end).await;
    }
}

/// A lock that somebody panicked with still has what it guards.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn router(gate: &Arc<Gate>) -> Router {
    Router::new()
        .route("/", get(door))
        .route("/enter", post(enter))
        .route("/static/{version}/{name}", get(assets::file))
        .fallback(forward::handle)
        .layer(from_fn_with_state(Arc::clone(gate), guard))
        .with_state(Arc::clone(gate))
}

/// The right name, no other site, and, beyond the door, the one browser.
async fn guard(
    State(gate): State<Arc<Gate>>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(host) = gate.named(&request) else {
        return refusal(
            StatusCode::MISDIRECTED_REQUEST,
            "This is the local admin page; it answers to its own address alone.",
        );
    };
    let owner = owner::of(client, gate.address);
    request.extensions_mut().insert(Caller(owner));
    let outside = matches!(request.uri().path(), "/" | "/enter") || request.uri().path().starts_with("/static/");
    let enough = if outside {
        request.method().is_safe() || is_own(request.headers(), &host)
    } else {
        gate.is_in(request.headers(), owner) && from_own_page(request.method(), request.headers(), &host)
    };
    if !enough {
        return refusal(
            StatusCode::FORBIDDEN,
            "Only the browser that opened the address which countersign admin printed gets in.",
        );
    }
    if !outside {
        *held(&gate.used) = Instant::now();
    }
    let mut response = next.run(request).await;
    protect(response.headers_mut());
    response
}

/// The user id at the other end, where it is known.
#[derive(Clone, Copy)]
struct Caller(Option<u32>);

async fn door(
    State(gate): State<Arc<Gate>>,
    Extension(Caller(owner)): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    if gate.is_in(&headers, owner) {
        return see_other("/admin");
    }
    let used = held(&gate.door).is_used();
    Page(DoorPage {
        problem: used.then_some(
            "This address was opened already, and it works once. Start countersign admin again for another.",
        ),
    })
    .into_response()
}

async fn enter(State(gate): State<Arc<Gate>>, Extension(Caller(owner)): Extension<Caller>, form: Form) -> Response {
    // Somebody may paste the whole address.
    let said = form.get("token").trim().rsplit('#').next().unwrap_or_default().to_owned();
    let entry = held(&gate.door).enter(&said, owner, Instant::now());
    let (status, problem) = match entry {
        Entry::Open(cookie) => {
            *held(&gate.used) = Instant::now();
            return gate.let_in(&cookie);
        }
        Entry::Wrong => (
            StatusCode::FORBIDDEN,
            "That is not the token, or it was used already. It stands behind the # of the address that was printed last.",
        ),
        Entry::TooMany => (StatusCode::TOO_MANY_REQUESTS, "Too many wrong tokens. Wait a minute."),
    };
    (status, Page(DoorPage { problem: Some(problem) })).into_response()
}

impl Gate {
    /// The `Host` that was asked for, if it is one of ours: names that rebind to this machine are not.
    fn named(&self, request: &Request) -> Option<String> {
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return None };
        let port = self.address.port();
        let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let host = host.to_str().ok()?;
        let also = request.uri().authority().is_none_or(|named| named.as_str() == host);
        ours.into_iter().find(|known| known == host && also)
    }

    /// Ports share a host's cookies, so each bridge's has a name of its own.
    fn cookie_name(&self) -> String {
        format!("admin-{}", self.address.port())
    }

    fn is_in(&self, headers: &HeaderMap, owner: Option<u32>) -> bool {
        let name = self.cookie_name();
        let sent = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = sent.flat_map(cookie::Cookie::split_parse).flatten();
        let carried = pairs.find(|pair| pair.name() == name);
        carried.is_some_and(|pair| held(&self.door).knows(pair.value(), owner))
    }

    fn let_in(&self, cookie: &Secret) -> Response {
        let text = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), cookie.reveal());
        let mut response = see_other("/admin");
        match HeaderValue::from_str(&text) {
            Ok(value) => drop(response.headers_mut().insert(header::SET_COOKIE, value)),
            Err(_) => *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR,
        }
        response
    }
}

/// Whether the browser says that one of our own pages sent this.
fn is_own(headers: &HeaderMap, host: &str) -> bool {
    let only = |name: HeaderName| {
        let mut values = headers.get_all(name).iter().map(HeaderValue::as_bytes);
        (values.next(), values.next().is_some())
    };
    match (only(SITE), only(header::ORIGIN)) {
        // Said twice, or not at all: every browser says one of them.
        ((_, true), _) | (_, (_, true)) | ((None, _), (None, _)) => false,
        ((Some(site), _), _) => site == b"same-origin",
        ((None, _), (Some(origin), _)) => origin == format!("http://{host}").as_bytes(),
    }
}

/// A page is read from our own pages or from the address bar, and changed from our own pages alone. Other ports of this
/// machine are the same site to a browser, and their pages could have it send the cookie.
fn from_own_page(method: &Method, headers: &HeaderMap, host: &str) -> bool {
    if !method.is_safe() {
        return is_own(headers, host);
    }
    headers.get_all(SITE).iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

pub(super) fn refusal(status: StatusCode, text: &'static str) -> Response {
    let mut response = (status, text).into_response();
    protect(response.headers_mut());
    response
}

fn protect(headers: &mut HeaderMap) {
    for (name, value) in PROTECTION {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_headers() {
        const HOST: &str = "127.0.0.1:4000";
        const OWN: &str = "http://127.0.0.1:4000";
        type Pairs = &'static [(&'static str, &'static str)];
        let table: &[(&str, Pairs, bool)] = &[
            ("GET", &[], true),
            ("GET", &[("sec-fetch-site", "none")], true),
            ("GET", &[("sec-fetch-site", "same-origin")], true),
            ("GET", &[("sec-fetch-site", "same-site")], false),
            ("GET", &[("sec-fetch-site", "cross-site")], false),
            ("POST", &[("sec-fetch-site", "same-origin")], true),
            ("POST", &[("sec-fetch-site", "same-origin"), ("origin", OWN)], true),
            ("POST", &[("origin", OWN)], true),
            ("POST", &[("origin", "http://localhost:4000")], false),
            ("POST", &[("origin", "http://127.0.0.1:4001")], false),
            ("POST", &[("origin", "null")], false),
            ("POST", &[("sec-fetch-site", "none")], false),
            ("POST", &[("sec-fetch-site", "same-site"), ("origin", OWN)], false),
            ("POST", &[("origin", OWN), ("origin", "null")], false),
            ("POST", &[], false),
        ];
        for (method, pairs, expected) in table {
            let mut headers = HeaderMap::new();
            for (name, value) in *pairs {
                headers.append(HeaderName::from_static(name), value.parse().unwrap());
            }
            assert_eq!(from_own_page(&method.parse().unwrap(), &headers, HOST), *expected, "{method} {pairs:?}");
        }
    }
}
