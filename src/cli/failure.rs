//! Why a command failed: the words for the terminal, and the exit code.

use crate::error::Error;
use crate::pane::remote::RemoteError;

/// What ends a command badly.
#[derive(Debug)]
pub struct Failure {
    /// 1 failed, 2 wrong usage, 3 a needed program is missing.
    pub code: u8,
    /// What to say.
    pub text: String,
}

/// What commands return.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// It did not work.
    pub fn failed(text: impl Into<String>) -> Self {
        Self { code: 1, text: text.into() }
    }

    /// The command was given wrongly.
    pub fn usage(text: impl Into<String>) -> Self {
        Self { code: 2, text: text.into() }
    }
}

impl From<crate::serve::Error> for Failure {
    fn from(error: crate::serve::Error) -> Self {
        Self { code: error.exit_code(), text: error.to_string() }
    }
}

impl From<RemoteError> for Failure {
    fn from(error: RemoteError) -> Self {
        match error {
            RemoteError::Usage(text) => Self::usage(text),
            error => Self::failed(error.to_string()),
        }
    }
}

impl From<crate::pg::Error> for Failure {
    fn from(error: crate::pg::Error) -> Self {
        Self { code: error.exit_code(), text: error.to_string() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(format!("the server's answer cannot be read: {error}"))
    }
}
