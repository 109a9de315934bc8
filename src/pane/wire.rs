//! What the server answers, as far as the client acts on it (contract, section 4).

use serde::Deserialize;
use uuid::Uuid;

/// A row to press.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Row {
    /// Its number.
    pub n: u32,
    /// Its text.
    pub text: String,
}

/// An order, as far as the client acts on it.
#[derive(Clone, Debug, Deserialize)]
pub struct Order {
    /// Its id.
    pub id: Uuid,
    /// `answer`, `nudge`, `mail` or `message`.
    pub kind: String,
    /// The pane's key.
    pub pane: String,
    /// The instance of the dialog that it answers.
    pub instance: Option<Uuid>,
    /// That dialog: the proposal that was decided.
    pub dialog_id: Option<Uuid>,
    /// The digest of what was decided on.
    pub digest: Option<String>,
    /// The row to press.
    pub option: Option<Row>,
    /// The text to type.
    pub text: Option<String>,
    /// The session that a message is for; none when the text is for whoever is there.
    #[serde(default)]
    pub session_id: Option<String>,
    /// This client has had it before.
    pub taken: bool,
}

/// What the server made of a dialog.
#[derive(Clone, Debug, Deserialize)]
pub struct Posted {
    /// The dialog's id.
    pub id: Uuid,
    /// One of the nine classes.
    pub class: String,
    /// `auto_approve`, `auto_deny` or `hold`.
    pub verdict: String,
    /// The digest that an order for it carries.
    pub digest: String,
}
