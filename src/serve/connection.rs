//! Accepting connections and serving them, over TCP, TLS and the Unix socket alike, until the server stops.

use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio_rustls::server::TlsStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::{Service, ServiceExt};

use super::tls::TlsListener;
use crate::auth::LocalPeer;
use crate::auth::source::Peer;

/// Who has not sent the head of a request by then is let go; an idle connection too.
const HEAD: Duration = Duration::from_secs(75);

/// What a listener knows of who is at the other end, for the requests to carry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// An address.
    Tcp(Peer),
    /// A process with an allowed user id.
    Local(LocalPeer),
}

/// A listener whose connections say who is at the other end; `None` turns them away.
pub(super) trait Greet: Listener {
    fn greet(io: &Self::Io, address: &Self::Addr) -> Option<Seen>;
}

impl Greet for TcpListener {
    fn greet(io: &TcpStream, address: &Self::Addr) -> Option<Seen> {
        // Answers are small and written at once; waiting for more would only delay them.
        io.set_nodelay(true).ok()?;
        Some(Seen::Tcp(Peer(address.ip())))
    }
}

impl Greet for TlsListener {
    fn greet(_: &TlsStream<TcpStream>, address: &Self::Addr) -> Option<Seen> {
        Some(Seen::Tcp(Peer(address.ip())))
    }
}

impl Greet for UnixListener {
    fn greet(io: &UnixStream, _: &Self::Addr) -> Option<Seen> {
        let uid = io.peer_cred().ok()?.uid();
        let owner = rustix::process::geteuid().as_raw();
        let peer = LocalPeer::admit(uid, owner);
        if peer.is_none() {
            tracing::warn!(uid, "another user was turned away from the local socket");
        }
        peer.map(Seen::Local)
    }
}

/// Serves what the listener brings until `stopping`; then the listener is closed, and each connection after its request.
pub(super) async fn serve<L: Greet>(
    mut listener: L,
    router: Router,
    stopping: CancellationToken,
    connections: TaskTracker,
) {
    loop {
        let (io, address) = tokio::select! {
            () = stopping.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        if let Some(seen) = L::greet(&io, &address) {
            connections.spawn(connection(io, seen, router.clone(), stopping.clone()));
        }
    }
}

async fn connection<I>(io: I, seen: Seen, router: Router, stopping: CancellationToken)
where
    I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        match seen {
            Seen::Tcp(peer) => request.extensions_mut().insert(peer).map(drop),
            Seen::Local(peer) => request.extensions_mut().insert(peer).map(drop),
        };
        let mut router = router.clone();
        async move { router.as_service::<Body>().ready().await?.call(request).await }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(http.serve_connection(TokioIo::new(io), service).with_upgrades());
    let ended = tokio::select! {
        // Asked first: a waiter that the stop has woken is answered with `connection: close`, so that its client does not
        // send the next request into a connection that is about to go.
        biased;
        () = stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        ended = connection.as_mut() => ended,
    };
    if let Err(error) = ended {
        // The other side's doing, nearly always: it hung up in the middle.
        tracing::debug!(%error, "a connection broke");
    }
}
