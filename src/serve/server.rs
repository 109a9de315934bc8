//! A running server over things that exist already: the app, a bound listener, a folder for the local socket.

use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, UnixListener};
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::rustls::ServerConfig;
use tokio_util::task::TaskTracker;

use super::connection::serve;
use super::tls::TlsListener;
use crate::app::{AppState, Queues};
use crate::config::{LOCAL_SOCKET, SOCKET_PATH_MAX};
use crate::{flows, http, jobs};

/// How long requests under way get when the server stops.
const REQUESTS: Duration = Duration::from_secs(10);
/// How long sockets, and then the database's connections, get to say goodbye.
const GOODBYE: Duration = Duration::from_secs(2);
/// How long the last writes may take: longer than any statement, so that only a database that is silent is left alone.
const LAST: Duration = Duration::from_secs(15);

/// What a [`Server`] runs on. The listener is bound before, so that nobody waits for readiness.
#[derive(Debug)]
pub struct ServerParts {
    /// The app.
    pub app: AppState,
    /// The ends of its queues.
    pub queues: Queues,
    /// Where people and agents connect.
    pub listener: TcpListener,
    /// Certificate and key, for https.
    pub tls: Option<Arc<ServerConfig>>,
    /// The folder (0700) that gets the local socket.
    pub run_dir: PathBuf,
}

/// A server that answers. Dropping it leaves its tasks running; [`Server::stop`] ends them in order.
#[derive(Debug)]
pub struct Server {
    app: AppState,
    address: SocketAddr,
    connections: TaskTracker,
    jobs: TaskTracker,
}

impl Server {
    /// Starts listeners and jobs; both sockets answer when this returns.
    pub fn start(parts: ServerParts) -> std::io::Result<Self> {
        let ServerParts { app, queues, listener, tls, run_dir } = parts;
        let address = listener.local_addr()?;
        let local = bind_local(&run_dir)?;
        let connections = TaskTracker::new();
        let (public, machine) = (http::public_router(app.clone()), http::local_router(app.clone()));
        let (stopping, tracker) = (app.stopping.clone(), connections.clone());
        match tls {
            None => drop(tokio::spawn(serve(listener, public, stopping, tracker))),
            Some(config) => {
                let listener = TlsListener::new(listener, config, &app.public_url.origin());
                drop(tokio::spawn(serve(listener, public, stopping, tracker)));
            }
        }
        drop(tokio::spawn(serve(local, machine, app.stopping.clone(), connections.clone())));
        let jobs = jobs::start(&app, queues);
        Ok(Self { app, address, connections, jobs })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Drains: no new connections, sockets told to come back, waiters answered, requests given ten seconds,
    /// queues written, the journal sealed and vouched for. Ends also when the database is gone or does not answer.
    pub async fn stop(self) {
        self.app.stopping.cancel();
        self.app.hub.waiters.wake_all();
        self.connections.close();
        if timeout(REQUESTS, self.connections.wait()).await.is_err() {
            tracing::warn!(left = self.connections.len(), "some requests were cut off");
        }
        let patience = Instant::now() + GOODBYE;
        while self.app.hub.sockets() > 0 && Instant::now() < patience {
            sleep(Duration::from_millis(20)).await;
        }
        self.app.drained.cancel();
        let last = async {
            self.jobs.wait().await;
            flows::checkpoint::close(&self.app).await
        };
        match timeout(LAST, last).await {
            Ok(Ok(())) => {}
            // The next start seals and vouches for what is left.
            Ok(Err(error)) => tracing::warn!(%error, "the journal's last rows are not sealed yet"),
            Err(_) => tracing::warn!("the database does not answer; the journal's last rows are not sealed yet"),
        }
        let closing = async { tokio::join!(self.app.db.close(), self.app.decisions.close()) };
        if timeout(GOODBYE, closing).await.is_err() {
            tracing::warn!("some connections to the database were cut");
        }
    }
}

/// Binds the socket for the owner alone. Whoever calls holds the data folder, so a file in the way is a leftover.
fn bind_local(run_dir: &Path) -> std::io::Result<UnixListener> {
    let path = run_dir.join(LOCAL_SOCKET);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = if path.as_os_str().len() <= SOCKET_PATH_MAX {
        UnixListener::bind(&path)?
    } else {
        // Too long for an address; the folder is reached through a descriptor instead.
        let folder = std::fs::File::open(run_dir)?;
        UnixListener::bind(format!("/proc/self/fd/{}/{LOCAL_SOCKET}", folder.as_raw_fd()))?
    };
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}
