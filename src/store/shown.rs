//! Dialogs and what became of their answers, as pages show them.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::dialog::DialogOption;
use crate::domain::report::{Kept, Report};

/// A dialog with its newest order.
#[derive(Clone, Debug)]
pub struct Dialog {
    /// Its proposal.
    pub proposal_id: Uuid,
    /// The pane's key.
    pub pane_key: String,
    /// `claude`, `codex`, …
    pub agent_kind: String,
    /// What sort of prompt.
    pub dialog_kind: String,
    /// The client could not read all of it.
    pub truncated: bool,
    /// Where it would run.
    pub cwd: String,
    /// It is proven to stay inside.
    pub repo_scoped: bool,
    /// `auto_approve`, `auto_deny` or `hold`.
    pub verdict: String,
    /// Why.
    pub policy_source: String,
    /// The policy's version at that time.
    pub policy_version: Option<i64>,
    /// The judgement as it was made.
    pub judgement: Json<Kept>,
    /// What was on the screen; gone after redaction.
    pub report: Option<Json<Report>>,
    /// The row that was decided on.
    pub option: Option<Json<DialogOption>>,
    /// Why it is no longer on the screen, if it is not.
    pub end_reason: Option<String>,
    /// Since when.
    pub ended_at: Option<DateTime<Utc>>,
    /// The proposal that stands for the same dialog now.
    pub replaced_by: Option<Uuid>,
    /// `queued`, `taken`, `done`.
    pub order_state: Option<String>,
    /// When the pane client took it.
    pub taken_at: Option<DateTime<Utc>>,
    /// When it was done.
    pub done_at: Option<DateTime<Utc>>,
    /// `sent`, `skipped`, `failed`.
    pub order_outcome: Option<String>,
    /// Why.
    pub order_reason: Option<String>,
}

/// The dialogs among these proposals.
pub async fn dialogs(conn: &mut PgConnection, proposals: &[Uuid]) -> sqlx::Result<Vec<Dialog>> {
    sqlx::query_as!(
        Dialog,
        r#"select d.proposal_id as "proposal_id!", d.pane_key as "pane_key!", d.agent_kind as "agent_kind!",
            d.dialog_kind as "dialog_kind!", d.truncated as "truncated!", d.cwd as "cwd!", d.repo_scoped as "repo_scoped!",
            d.verdict as "verdict!", d.policy_source as "policy_source!", p.policy_version,
            d.judgement as "judgement!: Json<Kept>", d.report as "report: Json<Report>",
            x.option as "option: Json<DialogOption>", d.end_reason, d.ended_at,
            case when d.superseded then (select n.proposal_id from dialogs n
                where n.pane_client_id = d.pane_client_id and n.instance = d.instance and not n.superseded)
            end as replaced_by,
            o.state as "order_state?", o.taken_at, o.done_at, o.outcome as order_outcome, o.reason as order_reason
        from dialogs d join proposals p on p.id = d.proposal_id
        left join decisions x on x.proposal_id = d.proposal_id
        left join lateral (select * from orders o where o.proposal_id = d.proposal_id order by o.attempt desc limit 1) o
            on true
        where d.proposal_id = any($1)"#,
        proposals,
    )
    .fetch_all(conn)
    .await
}

/// A row of the journal about what supervision did in a lane.
#[derive(Clone, Debug)]
pub struct ActedRow {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// The dialog it is about.
    pub proposal_id: Option<Uuid>,
    /// The particulars; gone after redaction.
    pub payload: Option<Json<Acted>>,
}

/// What such a row says, in the words of the contract.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Acted {
    /// The pane's key.
    pub pane: String,
    /// The agent kind.
    pub agent_kind: Option<String>,
    /// What it came from.
    pub trigger: String,
    /// The dialog's class.
    pub dialog_class: Option<String>,
    /// `approve`, `deny`, `hold`, `nudge`, `full_body`.
    pub decision: String,
    /// Why.
    pub policy_source: Option<String>,
    /// Under which version of the policy.
    pub policy_version: Option<i64>,
    /// The keys that were sent.
    pub keys: Option<Vec<String>>,
    /// `sent`, `skipped`, `failed`, `held`.
    pub outcome: String,
    /// Why it came to that.
    pub reason: Option<String>,
    /// What it was about.
    pub subject: Option<String>,
    /// The screen.
    pub pane_excerpt: Option<String>,
}

/// What supervision did last in a lane, newest first.
pub async fn acted(conn: &mut PgConnection, lane: Uuid, limit: i64) -> sqlx::Result<Vec<ActedRow>> {
    sqlx::query_as!(
        ActedRow,
        r#"select id, at, proposal_id, payload as "payload: Json<Acted>" from events
        where kind = 'supervision.acted' and lane_id = $1 order by id desc limit $2"#,
        lane,
        limit,
    )
    .fetch_all(conn)
    .await
}
