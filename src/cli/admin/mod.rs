//! `countersign admin`: the local admin page. This command is the bridge that a browser reaches it through.

mod bridge;
mod door;
mod forward;
mod opener;
mod owner;

use std::path::PathBuf;

use clap::Args;

pub use self::bridge::{Bridge, IDLE};
use super::failure::Outcome;
use super::out;
use super::socket::Socket;
use crate::config::default_data_dir;

/// The local admin page.
#[derive(Debug, Args)]
pub struct AdminArgs {
    /// The server's data folder [default: the platform's data folder].
    #[arg(long, value_name = "DIR", env = "COUNTERSIGN_DATA")]
    data_dir: Option<PathBuf>,
    /// Opens the page with xdg-open, too.
    #[arg(long)]
    open: bool,
}

/// Prints the address and serves it, until Ctrl-C or for 15 minutes after its last use.
pub async fn run(args: AdminArgs) -> Outcome {
    let socket = Socket::in_dir(args.data_dir.unwrap_or_else(default_data_dir));
    // Before anything is promised: is there a server at all?
    socket.connect().await.map(drop)?;
    let bridge = Bridge::bind(socket).await?;
    eprintln!(
        "Open this address in a browser on this machine. It works once; Ctrl-C closes the page, and so do 15 idle minutes."
    );
    out::line(bridge.url());
    let opened = args.open.then(|| opener::open(bridge.url())).transpose();
    if let Err(failure) = &opened {
        eprintln!("{}", failure.text);
    }
    tokio::select! {
        served = bridge.serve(IDLE) => served?,
        interrupted = tokio::signal::ctrl_c() => interrupted?,
    }
    eprintln!("The admin page is closed.");
    Ok(())
}
