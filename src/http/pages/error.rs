//! What went wrong, said to a person, with a way on.

use askama::Template;

use super::frame::Frame;

/// Any error that a browser meets.
#[derive(Debug, Template)]
#[template(path = "pages/error.html")]
pub struct Failed {
    /// The frame.
    pub frame: Frame,
    /// The status.
    pub status: u16,
    /// A short title.
    pub heading: String,
    /// What happened and what can be done.
    pub detail: String,
    /// The id under which the log knows more.
    pub request_id: String,
}

impl Failed {
    /// Trying again may help.
    pub fn passing(&self) -> bool {
        matches!(self.status, 429 | 500..)
    }
}
