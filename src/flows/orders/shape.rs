//! The shape of an order as its client is told it (contract, section 4).

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::domain::dialog::DialogOption;
use crate::store::orders::OrderRow;

/// A row to press.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Choice {
    /// Its number.
    pub n: u32,
    /// Its text.
    pub text: String,
}

impl From<&DialogOption> for Choice {
    fn from(option: &DialogOption) -> Self {
        Self { n: option.n, text: option.text.clone() }
    }
}

/// `Order` of the contract.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Order {
    /// Its id.
    pub id: Uuid,
    /// `answer`, `nudge`, `mail` or `message`.
    pub kind: String,
    /// The pane's key.
    pub pane: String,
    /// The instance of the dialog that it answers.
    pub instance: Option<Uuid>,
    /// That dialog.
    pub dialog_id: Option<Uuid>,
    /// The digest of what was decided on.
    pub digest: Option<String>,
    /// The row to press.
    pub option: Option<Choice>,
    /// It refuses.
    pub deny: bool,
    /// The text to type.
    pub text: Option<String>,
    /// The messages that the text carries.
    #[schema(value_type = Vec<Uuid>)]
    pub msg_ids: serde_json::Value,
    /// The session that a `message` is for: typed to no other. Null for what is for whoever is there.
    pub session_id: Option<String>,
    /// `dialog`, `mail`, `stall`, `manual_nudge`, `legacy_rule` or `message`.
    pub trigger: String,
    /// This client has had it before and has not said what became of it.
    pub taken: bool,
    /// Until when it is this client's alone; null while it is a hint.
    pub lease_until: Option<DateTime<Utc>>,
}

/// The contract's `Order` from a row; `again` when the client has had it before.
pub fn order(row: &OrderRow, again: bool) -> Order {
    Order {
        id: row.id,
        kind: row.kind.clone(),
        pane: row.pane_key.clone(),
        instance: row.instance,
        dialog_id: row.proposal_id,
        digest: row.digest.as_ref().map(hex::encode),
        option: row.option.as_ref().map(|option| Choice::from(&option.0)),
        deny: row.deny,
        text: row.text.clone(),
        msg_ids: row.msg_ids.clone().unwrap_or_else(|| serde_json::json!([])),
        session_id: row.session_id.clone(),
        trigger: row.trigger.clone(),
        taken: again,
        lease_until: row.leased_until,
    }
}
