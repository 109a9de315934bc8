//! `countersign pane`: watches agents' terminals, reports what they ask, and presses the one key that was decided on.

mod look;
mod show;
pub(super) mod token;

use std::path::{Path, PathBuf};

use clap::Args;
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use self::token::{NoToken, Token};
use super::failure::{Failure, Outcome};
use crate::config::{LogFormat, PublicUrl, default_state_dir};
use crate::domain::secret::Secret;
use crate::pane::client::{self, Parts, Selection};
use crate::pane::discover::{self, Assigned};
use crate::pane::remote::Remote;
use crate::pane::server::{Server, Trouble};
use crate::pane::started::Started;
use crate::pane::tmux::Tmux;

/// What `pane` takes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  countersign pane --server https://review.example.org --token-file ~/.config/countersign/pane-token --discover
  countersign pane --server http://127.0.0.1:7440 --token-file token --lane api=%3 --lane web=%5:codex
  countersign pane --watch --lane api=%3        what it sees there; it never types
  countersign pane --status                     what the running clients say of themselves

The token comes from `countersign pane-client add NAME --lanes api,web`, on the server's machine.
`tmux list-panes -a -F '#{pane_id} #{pane_current_command} #{pane_current_path}'` shows the panes' ids.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct PaneArgs {
    /// The server's address, as people type it.
    #[arg(long, value_name = "URL", required_unless_present_any = ["watch", "status"])]
    server: Option<PublicUrl>,
    /// The file with the client's token (csp_…); only its owner should be able to read it.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["watch", "status"])]
    token_file: Option<PathBuf>,
    /// A pane of a lane, by tmux's id: api=%3, or api=%3:codex where the program cannot be told. May be given more than once;
    /// or --discover instead.
    #[arg(long, value_name = "LANE=%N", value_parser = discover::assigned, required_unless_present_any = ["discover", "watch", "status"])]
    lane: Vec<Assigned>,
    /// Watches every pane with an agent whose folder is in a lane's worktree, also those that come later.
    #[arg(long, conflicts_with = "lane")]
    discover: bool,
    /// The name of tmux's socket, as for `tmux -L`.
    #[arg(long, value_name = "NAME")]
    tmux_socket: Option<String>,
    /// Shows live what it sees, and never types; no server is needed.
    #[arg(long, conflicts_with = "status")]
    watch: bool,
    /// Shows what the clients on this machine say of themselves, and ends.
    #[arg(long)]
    status: bool,
    /// With --status: as JSON.
    #[arg(long, requires = "status")]
    json: bool,
    /// The certificates to trust for https, PEM [default: the system's].
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Where it remembers the orders it has begun [default: the platform's folder for state].
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

/// Runs until it is interrupted.
pub async fn run(args: PaneArgs) -> Outcome {
    let state = args.state_dir.clone().unwrap_or_else(default_state_dir);
    if args.status {
        return show::status(&state, args.json);
    }
    let tmux = Tmux::new(args.tmux_socket.clone());
    tmux.version().await.map_err(|error| Failure { code: 3, text: error.to_string() })?;
    if args.watch {
        return look::watch(&tmux, &args.lane).await;
    }
    let (Some(url), Some(file)) = (args.server.clone(), &args.token_file) else {
        return Err(Failure::usage("--server and --token-file are missing"));
    };
    let token = token(file)?;
    let files = state.join(format!("pane-{}", name(&token)));
    let started =
        Started::open(&files.with_extension("started")).map_err(|error| Failure::failed(error.to_string()))?;
    let selection = if args.discover { Selection::Discover } else { Selection::Assigned(args.lane) };
    let parts = Parts {
        server: Server::new(Remote::new(url, args.ca)?, token),
        tmux,
        label: label(args.tmux_socket.as_deref()),
        selection,
        started,
        book: files.with_extension("status"),
    };
    let stop = CancellationToken::new();
    tokio::spawn(stopped(stop.clone()));
    crate::serve::log::init(LogFormat::Human);
    client::run(parts, stop).await.map_err(|trouble| refused(&trouble))
}

fn token(file: &Path) -> Outcome<Secret> {
    let shown = file.display();
    let token = Token::read(file).map_err(|why| match why {
        NoToken::Unreadable(error) => Failure::failed(format!(
            "cannot read the token file {shown}: {error}; put there, with mode 600, what `countersign pane-client add NAME --lanes LANE` printed on the server's machine"
        )),
        NoToken::Other => Failure::usage(format!(
            "{shown} holds no pane client's token (csp_…): make one with `countersign pane-client add NAME --lanes LANE` on the server's machine"
        )),
    })?;
    if token.is_open() {
        eprintln!(
            "countersign: others on this machine may read {shown}: chmod 600 it, and rotate the token if they have"
        );
    }
    Ok(token.secret)
}

/// Names the files of one client: the same token, the same files. A server has several addresses, and two clients that
/// call it by different ones would press everything twice.
fn name(token: &Secret) -> String {
    hex::encode(&Sha256::digest(token.reveal())[..6])
}

/// The first part of a pane's key: tmux's socket, as far as a key takes its characters.
fn label(socket: Option<&str>) -> String {
    let text = socket.unwrap_or("default");
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).take(40).collect()
}

fn refused(trouble: &Trouble) -> Failure {
    if trouble.is_token() {
        return Failure::failed(
            "the server does not accept this token: it was rotated, revoked, or its client removed; make one with `countersign pane-client add` or `rotate` on the server's machine",
        );
    }
    Failure::failed(trouble.to_string())
}

/// Ctrl-C, or what a service manager sends.
async fn stopped(stop: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    if let Ok(mut term) = signal(SignalKind::terminate()) {
        tokio::select! {
            _ = term.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
    } else {
        tokio::signal::ctrl_c().await.ok();
    }
    stop.cancel();
}
