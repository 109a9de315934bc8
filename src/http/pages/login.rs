//! Signing in.

use askama::Template;

use super::frame::Frame;

/// `/login`
#[derive(Debug, Template)]
#[template(path = "pages/login.html")]
pub struct Login {
    /// The frame.
    pub frame: Frame,
    /// Where to go afterwards: a path on this server.
    pub next: String,
    /// The name as typed before.
    pub name: String,
    /// Why it did not work.
    pub problem: Option<String>,
    /// Signed out just now, or by somebody else.
    pub notice: Option<String>,
}
