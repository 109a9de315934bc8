//! The file with a pane client's token: what is in it, and who can read it.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::domain::secret::Secret;

/// A token, and the file's mode.
pub(in crate::cli) struct Token {
    /// The token.
    pub secret: Secret,
    /// Who can read and write the file.
    pub mode: u32,
}

/// Why a file gives no token.
pub(in crate::cli) enum NoToken {
    /// It cannot be read.
    Unreadable(io::Error),
    /// Something else is in it.
    Other,
}

impl From<io::Error> for NoToken {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Token {
    /// Reads the one line that is in the file.
    pub(in crate::cli) fn read(file: &Path) -> Result<Self, NoToken> {
        let text = std::fs::read_to_string(file)?;
        let mode = file.metadata()?.mode() & 0o777;
        let text = text.trim();
        if !text.starts_with("csp_") || text.contains(char::is_whitespace) {
            return Err(NoToken::Other);
        }
        Ok(Self { secret: text.into(), mode })
    }

    /// Whether others on this machine can read the file: a token that others have is theirs too.
    pub(in crate::cli) const fn is_open(&self) -> bool {
        self.mode & 0o077 != 0
    }
}
