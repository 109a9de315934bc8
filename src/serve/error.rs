//! Why a server does not start, each as a line that says what to do, with its exit code.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::{notary, pg};

/// What ends `countersign serve`.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The flags ask for something that is not done.
    #[error("{0}")]
    Refused(String),
    /// The data folder or the private cluster.
    #[error(transparent)]
    Pg(#[from] pg::Error),
    /// The certificate.
    #[error(transparent)]
    Tls(#[from] super::tls::Error),
    /// The signing key.
    #[error(transparent)]
    Notary(#[from] notary::Error),
    /// The database cannot be used.
    #[error("the database cannot be used: {0}")]
    Database(String),
    /// The address is taken, or not ours.
    #[error("cannot listen on {listen}: {source}; choose another address with --listen")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The local socket.
    #[error("cannot open the local socket in {}/run: {source}", dir.display())]
    Local {
        /// The data folder.
        dir: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Signals cannot be watched.
    #[error("cannot watch for signals: {0}")]
    Signals(std::io::Error),
    /// Something the store or a flow said.
    #[error(transparent)]
    Other(#[from] crate::error::Error),
}

impl Error {
    /// 2 for flags, 3 for a missing program, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(_) => 2,
            Self::Pg(error) => error.exit_code(),
            _ => 1,
        }
    }
}
