//! What an approver is told of a dialog: its rows, the one that would be pressed, and how it was judged.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::domain::choice::{Standing, pressable};
use crate::flows::dialogs::decided::kind;
use crate::flows::dialogs::shape::{Would, option};
use crate::flows::orders::shape::Choice;
use crate::store::dialogs::DialogRow;

/// A row as it was seen.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenOption {
    /// Its number.
    pub n: u32,
    /// Its text.
    pub text: String,
    /// It would hold for later requests too, or change a mode: only the person at the terminal may choose it.
    pub standing: bool,
    /// Why it may not be chosen from afar; null when it may.
    pub why_standing: Option<&'static str>,
    /// The cursor was on it.
    pub selected: bool,
}

/// The fields that only dialogs have.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DialogFields {
    /// `permission`, `decision`, `plan`, `trust`, `usage_limit` or `login`.
    pub dialog_kind: String,
    /// The client's id of the continuously seen dialog.
    pub instance: Uuid,
    /// The pane's key.
    pub pane: String,
    /// The agent kind.
    pub agent_kind: String,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The dialog's question.
    pub question: Option<String>,
    /// What stood around it: the agent's words.
    pub context: Option<String>,
    /// The rows as seen.
    pub options: Vec<SeenOption>,
    /// The row that was decided on, else the one that an approval presses; null: name one.
    pub option: Option<Choice>,
    /// The row that a rejection presses; null: nothing is pressed unless one is named.
    pub deny_option: Option<Choice>,
    /// The client could not read all of it.
    pub truncated: Option<bool>,
    /// Where it would run.
    pub cwd: String,
    /// The repository's root.
    pub repo_root: Option<String>,
    /// The lane's worktree.
    pub worktree: Option<String>,
    /// `auto_approve`, `auto_deny` or `hold`.
    pub verdict: String,
    /// Why.
    pub policy_source: String,
    /// Under which version of the policy.
    pub policy_version: Option<i64>,
    /// What would be answered with both keys on and nothing paused.
    pub would: Would,
}

/// The fields from a row.
pub fn fields(row: &DialogRow) -> DialogFields {
    let report = row.report.as_ref().map(|report| &report.0);
    let seen = report.map(|report| report.options.as_slice()).unwrap_or_default();
    let kind = kind(row);
    let options = seen.iter().map(|option| {
        let standing = pressable(kind, &option.text).err();
        SeenOption {
            n: option.n,
            text: option.text.clone(),
            standing: standing.is_some(),
            why_standing: standing.map(Standing::text),
            selected: option.selected,
        }
    });
    DialogFields {
        dialog_kind: row.dialog_kind.clone(),
        instance: row.instance,
        pane: row.pane_key.clone(),
        agent_kind: row.agent_kind.clone(),
        session_id: row.session_id.clone(),
        question: report.map(|report| report.question.clone()),
        context: report.and_then(|report| report.context.clone()),
        options: options.collect(),
        option: option(row),
        deny_option: row.judgement.0.deny.as_ref().map(Choice::from),
        truncated: report.map(|report| report.truncated),
        cwd: row.cwd.clone(),
        repo_root: report.map(|report| report.repo_root.clone()),
        worktree: report.map(|report| report.worktree.clone()),
        verdict: row.verdict.clone(),
        policy_source: row.policy_source.clone(),
        policy_version: row.policy_version,
        would: Would { verdict: row.would_verdict.clone(), policy_source: row.would_source.clone() },
    }
}
