//! What can be wrong with the files of a notary, in words that say what to do.

use std::path::{Path, PathBuf};

/// A fault of the key or of the checkpoint file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be made, read or written.
    #[error("{} cannot be used: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The key file holds something else.
    #[error("{} holds no Ed25519 key (PKCS#8 PEM). Restore it from a backup, or move it away: a new key is made at the next start, with another fingerprint.", .0.display())]
    NoKey(PathBuf),
    /// Others can read the private key.
    #[error("{} can be read by others (mode {mode:03o}). If nobody else is meant to sign for this server: chmod 600 {}", path.display(), path.display())]
    Exposed {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
}

impl Error {
    /// For `map_err` on file operations.
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

impl From<Error> for crate::error::Error {
    /// The caller can do nothing about it; the log says what to do.
    fn from(error: Error) -> Self {
        Self::Internal(format!("notary: {error}"))
    }
}
