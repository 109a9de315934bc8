//! The service inside the test: the product's own routers on a real port and a real socket, with a clock that can be moved.

use std::path::{Path, PathBuf};

use chrono::TimeDelta;
use countersign::app::{AppParts, AppState};
use countersign::clock::Clock;
use countersign::config::{LOCAL_SOCKET, PublicUrl};
use countersign::notary::Notary;
use countersign::serve::{Server, ServerParts};
use countersign::{flows, store};
use tokio::net::TcpListener;

use super::client::Client;
use super::{cluster, scratch};

/// A running service over a database of its own; it ends with the test's runtime.
pub struct TestApp {
    /// The service's own view of itself.
    pub state: AppState,
    /// Where it listens, as people type it.
    pub url: String,
    /// The one-time code that the first start prints, while there is nobody.
    pub setup_code: Option<String>,
    /// The database it runs on.
    pub database: String,
    /// Its data folder, as `--data-dir` names it.
    pub folder: PathBuf,
    server: Server,
}

impl TestApp {
    /// Starts over a fresh database; it is ready when this returns.
    pub async fn start() -> Self {
        Self::start_on(&cluster::database().await).await
    }

    /// Starts over an existing database, as a second replica or a restart would.
    pub async fn start_on(database: &str) -> Self {
        Self::start_in(&scratch::folder("data"), database, "127.0.0.1:0").await
    }

    /// Starts over an existing database with an existing folder of keys and checkpoints.
    pub async fn start_in(folder: &Path, database: &str, address: &str) -> Self {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, queues) = AppState::new(AppParts {
            public_url: PublicUrl::of_listener(address),
            listen_host: address.to_string(),
            insecure: false,
            demo: false,
            trusted_proxies: Vec::new(),
            pools: store::connect(database).await.unwrap(),
            notary: Notary::open(folder).unwrap(),
            clock: Clock::default(),
        });
        flows::checkpoint::open(&state).await.unwrap();
        let setup_code = flows::people::renew_setup_code(&state).await.unwrap();
        let run_dir = folder.join("run");
        std::fs::create_dir_all(&run_dir).unwrap();
        let parts = ServerParts { app: state.clone(), queues, listener, tls: None, run_dir };
        let server = Server::start(parts).unwrap();
        let url = state.public_url.origin();
        Self { state, url, setup_code, database: database.to_owned(), folder: folder.to_path_buf(), server }
    }

    /// Stops it and starts it again over the same database and folder, at another port.
    pub async fn restart(self) -> Self {
        let (database, folder) = (self.database.clone(), self.folder.clone());
        self.stop().await;
        Self::start_in(&folder, &database, "127.0.0.1:0").await
    }

    /// Stops it in order, as a signal would.
    pub async fn stop(self) {
        self.server.stop().await;
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
        Client::unix(&self.folder.join("run").join(LOCAL_SOCKET))
    }
}
