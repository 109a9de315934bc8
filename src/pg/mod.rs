//! The private Postgres: found, created, started, watched and stopped by this program, reachable through a Unix socket only.
//!
//! DIR (0711) holds `pg/` (the cluster, owned by the account that runs it), `pg-run/` (its socket), `pg-conf/` (its settings, written
//! anew at each start), `run/` and `keys/` (0700, the server's own) and `lock`. Whoever holds the lock owns all of it, so a postmaster
//! that is alive while we take the lock was left behind by a server that died: it is stopped before a new one starts.
//! There is no password and no TCP port; the kernel says who connects, and only the invoking user and the cluster's account may.

mod account;
mod binaries;
mod cluster;
mod create;
mod data_dir;
mod error;
mod exec;
mod install_hint;
mod postmaster_file;
mod process;
mod settings;
mod socket;
mod supervisor;
mod wire;

use std::path::PathBuf;

pub use cluster::Cluster;
pub use data_dir::DataDir;
pub use error::Error;
pub use exec::exec;

/// The database that holds everything; made at start when it is missing.
pub const DATABASE: &str = "countersign";

/// The oldest Postgres whose features the store relies on.
pub const OLDEST_MAJOR: u32 = 15;

/// The cluster's superuser, whatever the system account is called.
const ROLE: &str = "countersign";

/// Only names the socket file; nothing listens on TCP.
const PORT: u16 = 5432;

/// Where the cluster lives and which binaries run it.
#[derive(Debug, Clone)]
pub struct Options {
    /// DIR; made when missing.
    pub data_dir: PathBuf,
    /// The folder with `initdb` and `postgres`; `None` takes the newest that is installed.
    pub pg_bin: Option<PathBuf>,
}
