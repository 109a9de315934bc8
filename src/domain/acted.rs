//! What the journal keeps of everything that supervision did, declined to do, or left to a person (contract, section 6).

use serde::Serialize;
use uuid::Uuid;

use super::class::Class;
use super::verdict::PolicySource;

/// Whom a row is about: there is exactly one for each order, and exactly one for each hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// An order's outcome.
    OrderId(Uuid),
    /// What was left to a person: a dialog by its proposal, a stall by its own id.
    HoldOf(Uuid),
}

/// The payload of `supervision.acted`.
#[derive(Clone, Debug, Serialize)]
pub struct Acted {
    /// The lane's name.
    pub lane: String,
    /// The pane's key.
    pub pane: String,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The agent kind.
    pub agent_kind: Option<String>,
    /// `dialog`, `mail`, `stall`, `manual_nudge`, `legacy_rule`, `message`.
    pub trigger: String,
    /// The dialog's class.
    pub dialog_class: Option<Class>,
    /// Whether the request was proven to stay inside.
    pub repo_scoped: Option<bool>,
    /// `approve`, `deny`, `hold`, `nudge`, `full_body`.
    pub decision: String,
    /// Why.
    pub policy_source: Option<PolicySource>,
    /// Under which version of the policy.
    pub policy_version: Option<i64>,
    /// The keys that were sent.
    pub keys: Option<Vec<String>>,
    /// `sent`, `skipped`, `failed`, `held`.
    pub outcome: &'static str,
    /// Why it came to that.
    pub reason: Option<String>,
    /// What it was about: the command, or the dialog's title, or the text.
    pub subject: Option<String>,
    /// The screen. Not for sockets.
    pub pane_excerpt: Option<String>,
    /// The order or the hold.
    #[serde(flatten)]
    pub of: Of,
}
