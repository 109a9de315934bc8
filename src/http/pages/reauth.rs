//! The password again, with everything that was already entered kept.

use askama::Template;

use super::frame::Frame;

/// `/p/{id}/reauth`, the answer to a decision that needs a fresh password
#[derive(Debug, Template)]
#[template(path = "pages/reauth.html")]
pub struct Reauth {
    /// The frame.
    pub frame: Frame,
    /// The proposal's id.
    pub id: String,
    /// What will be approved, in the server's words.
    pub sentence: String,
    /// The fields of the decision, as they were sent.
    pub fields: Vec<(String, String)>,
    /// Why the last try did not work.
    pub problem: Option<String>,
}
