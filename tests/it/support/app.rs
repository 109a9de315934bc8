//! The service inside the test: the product's own routers on a real port and a real socket, with a clock that can be moved.

use std::path::PathBuf;

use chrono::TimeDelta;
use countersign::app::{AppParts, AppState};
use countersign::clock::Clock;
use countersign::config::PublicUrl;
use countersign::notary::Notary;
use countersign::{http, store};
use tokio::net::{TcpListener, UnixListener};

use super::client::Client;
use super::{cluster, scratch};

/// A running service over a database of its own; it ends with the test's runtime.
pub struct TestApp {
    /// The service's own view of itself.
    pub state: AppState,
    /// Where it listens, as people type it.
    pub url: String,
    socket: PathBuf,
}

impl TestApp {
    /// Starts over a fresh database; it is ready when this returns.
    pub async fn start() -> Self {
        Self::start_on(&cluster::database().await).await
    }

    /// Starts over an existing database, as a second replica or a restart would.
    pub async fn start_on(database: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let data_dir = scratch::folder("data");
        let socket = data_dir.join("countersign.sock");
        let local = UnixListener::bind(&socket).unwrap();
        let (state, _queues) = AppState::new(AppParts {
            public_url: PublicUrl::of_listener(address),
            listen_host: address.to_string(),
            insecure: false,
            trusted_proxies: Vec::new(),
            pools: store::connect(database).await.unwrap(),
            notary: Notary::open(&data_dir).unwrap(),
            clock: Clock::default(),
        });
        let (public, machine) = (http::public_router(state.clone()), http::local_router(state.clone()));
        tokio::spawn(async move { axum::serve(listener, public).await });
        tokio::spawn(async move { axum::serve(local, machine).await });
        let url = state.public_url.origin();
        Self { state, url, socket }
    }

    /// Moves the service's clock forward.
    pub fn advance(&self, by: TimeDelta) {
        self.state.clock.advance(by);
    }

    /// Somebody on the network without any credential.
    pub fn anonymous(&self) -> Client {
        Client::tcp(&self.url)
    }

    /// Somebody at the machine without any credential.
    pub fn local(&self) -> Client {
        Client::unix(&self.socket)
    }
}
