//! `countersign serve`: from flags to a server that answers, and back to nothing, in one order.

mod connection;
mod database;
mod error;
pub mod lan;
pub mod log;
mod public;
mod server;
pub mod tls;

use std::io::Write;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::app::{AppParts, AppState};
use crate::auth::mode::same_user_warning;
use crate::clock::Clock;
use crate::config::{ServeArgs, default_data_dir};
use crate::flows;
use crate::notary::Notary;
use crate::pg::DataDir;

use self::database::Database;
pub use self::error::Error;
use self::public::Public;
pub use self::server::{Server, ServerParts};

/// Runs until a signal. Postgres is stopped last, also when something fails on the way up.
pub async fn run(args: ServeArgs) -> Result<(), Error> {
    log::init(args.log_format);
    args.check_exposure().map_err(Error::Refused)?;
    raise_file_limit();
    let wish = args.data_dir.clone().unwrap_or_else(default_data_dir);
    let dir = DataDir::claim(&wish)?;
    let path = dir.path().to_path_buf();
    let database = Database::open(&args, dir).await?;
    let served = serve(&args, &path, database.url()).await;
    database.close().await;
    served
}

async fn serve(args: &ServeArgs, dir: &std::path::Path, url: &str) -> Result<(), Error> {
    let clock = Clock::default();
    let public = Public::new(args, &dir.join("keys"), clock.now())?;
    let pools = database::prepare(url).await?;
    let listen = public.listen;
    let listener = TcpListener::bind(listen).await.map_err(|source| Error::Listen { listen, source })?;
    let address = listener.local_addr().map_err(|source| Error::Listen { listen, source })?;
    let parts = AppParts {
        public_url: public.url(address),
        listen_host: address.to_string(),
        insecure: args.insecure_http,
        demo: args.demo,
        trusted_proxies: args.trusted_proxy.clone(),
        pools,
        notary: Notary::open(dir)?,
        clock,
    };
    let (app, queues) = AppState::new(parts);
    let opening = flows::checkpoint::open(&app).await?;
    tracing::info!(key = opening.fingerprint, "checkpoints are signed; keep this for `audit verify --trust`");
    if let Some(warning) = same_user_warning() {
        tracing::warn!("{warning}");
    }
    let code = flows::people::renew_setup_code(&app).await?;
    let parts = ServerParts { app: app.clone(), queues, listener, tls: public.tls.clone(), run_dir: dir.join("run") };
    let server = Server::start(parts).map_err(|source| Error::Local { dir: dir.to_path_buf(), source })?;
    announce(&app, &public, code.as_deref());
    wait_for_signal().await?;
    tracing::info!("stopping: requests under way are finished first");
    server.stop().await;
    Ok(())
}

/// What goes to standard output; who closed it does not want to know.
fn announce(app: &AppState, public: &Public, code: Option<&str>) {
    let mut out = std::io::stdout().lock();
    let mut say = |line: String| {
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    if let Some(code) = code {
        say(format!(
            "Nobody can sign in yet. Make the first admin within 30 minutes at {}/setup#{code}",
            app.public_url
        ));
    }
    if let Some(extra) = public.note(&app.public_url.origin()) {
        say(extra);
    }
    say(format!("ready {}", app.public_url));
}

async fn wait_for_signal() -> Result<(), Error> {
    let watch = |kind| signal(kind).map_err(Error::Signals);
    let (mut terminate, mut interrupt) = (watch(SignalKind::terminate())?, watch(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    // Somebody who asks twice does not want to wait for others' requests.
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::warn!("asked again: stopping at once");
        std::process::exit(1);
    });
    Ok(())
}

/// Ten thousand long polls are ten thousand sockets.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum }) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}
