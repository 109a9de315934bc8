//! The shape of a dialog as its client is told it (contract, section 4).

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::look::Seen;
use crate::domain::dialog::DialogOption;
use crate::domain::proposal::Status;
use crate::domain::verdict::{Reason, Verdict};
use crate::flows::orders::shape::{Choice, Order, order};
use crate::store::dialogs::DialogRow;

/// What would be answered with both keys on and nothing paused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Would {
    /// `auto_approve`, `auto_deny` or `hold`.
    pub verdict: String,
    /// Why.
    pub policy_source: String,
}

/// What `POST /api/v1/dialogs` answers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Dialog {
    /// Its id, which is its proposal's.
    pub id: Uuid,
    /// One of the nine classes.
    pub class: String,
    /// Proven to stay inside the repository.
    pub repo_scoped: bool,
    /// `auto_approve`, `auto_deny` or `hold`.
    pub verdict: String,
    /// Why.
    pub policy_source: String,
    /// What would be answered with both keys on and nothing paused.
    pub would: Would,
    /// Why it is held.
    pub reasons: Vec<Reason>,
    /// `low`, `medium` or `high`.
    pub risk: String,
    /// The row that was decided on, else the one that an approval would press.
    pub option: Option<Choice>,
    /// Where its proposal stands.
    pub status: String,
    /// SHA-256 of its content.
    pub digest: String,
    /// The order that is under way for it; a hint, the lease is `GET /api/v1/orders`.
    pub order: Option<Order>,
}

/// The contract's answer from what was seen.
pub fn dialog(seen: &Seen) -> Dialog {
    let row = &seen.dialog;
    Dialog {
        id: row.id,
        class: row.class.clone().unwrap_or_else(|| "unknown".to_owned()),
        repo_scoped: row.repo_scoped,
        verdict: row.verdict.clone(),
        policy_source: row.policy_source.clone(),
        would: Would { verdict: row.would_verdict.clone(), policy_source: row.would_source.clone() },
        reasons: row.judgement.0.reasons.clone(),
        risk: row.risk.clone(),
        option: option(row),
        status: row.status.clone(),
        digest: hex::encode(&row.digest),
        order: seen.order.as_ref().map(|row| order(row, row.state == "taken")),
    }
}

/// The row that was decided on; while nobody has, the one that the verdict, or a person's yes, would press.
pub fn option(row: &DialogRow) -> Option<Choice> {
    let decided = || serde_json::from_value::<DialogOption>(row.option.clone()?).ok();
    let judged = match Verdict::from_word(&row.verdict) {
        Verdict::AutoDeny => &row.judgement.0.deny,
        Verdict::AutoApprove | Verdict::Hold => &row.judgement.0.approve,
    };
    let pending = row.status == Status::Pending.as_str();
    let found = if pending { judged.clone() } else { decided().or_else(|| judged.clone()) };
    found.as_ref().map(Choice::from)
}
