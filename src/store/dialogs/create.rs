//! Writing a dialog: its proposal, the redactable content, the decision if the policy has decided, and what was reported.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::dialog::DialogOption;
use crate::domain::digest::Digest;
use crate::domain::proposal::{Outcome, Requirement};
use crate::domain::report::{Kept, Report};
use crate::domain::verdict::Judgement;

/// A dialog that is ready to be written.
#[derive(Debug)]
pub struct NewDialog<'a> {
    /// Its proposal's id.
    pub id: Uuid,
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Who reported it.
    pub pane_client_id: Uuid,
    /// What was reported.
    pub report: &'a Report,
    /// Its content's digest.
    pub digest: Digest,
    /// How it was judged.
    pub judgement: &'a Judgement,
    /// What approving takes.
    pub requirement: Requirement,
    /// The policy's version.
    pub policy_version: i64,
    /// The proposal it stands in for.
    pub replaces: Option<Uuid>,
    /// What the policy has decided, and the row; none is a hold.
    pub decided: Option<(Outcome, &'a DialogOption)>,
    /// When.
    pub now: DateTime<Utc>,
}

/// Writes all of it. A unique violation on `dialogs_by_instance` says that another report of it was first.
pub async fn insert(conn: &mut PgConnection, new: &NewDialog<'_>) -> sqlx::Result<()> {
    insert_proposal(conn, new).await?;
    insert_dialog(conn, new).await
}

async fn insert_proposal(conn: &mut PgConnection, new: &NewDialog<'_>) -> sqlx::Result<()> {
    let report = new.report;
    let context =
        json!({ "question": report.question, "context": report.context, "pane_excerpt": report.pane_excerpt });
    let outcome = new.decided.map(|(outcome, _)| outcome.as_str());
    let option = new.decided.map(|(_, option)| json!({ "n": option.n, "text": option.text }));
    sqlx::query!(
        "with made as (
            insert into proposals (id, project_id, lane_id, pane_client_id, kind, action, class, risk, title, command, digest,
                status, created_at, closed_at, requirement, policy_version, replaces)
            values ($1, $2, $3, $4, 'dialog', $5, $6, $7, $8, $9, $10, coalesce($11, 'pending'), $12,
                case when $11::text is not null then $12::timestamptz end, $13, $14, $15)
        ),
        content as (
            insert into proposal_content (proposal_id, body, options, context) values ($1, $16, $17, $18)
        )
        insert into decisions (proposal_id, outcome, source, option, decided_at)
        select $1, $11, 'policy', $19, $12 where $11::text is not null",
        new.id,
        new.place.0,
        new.place.1,
        new.pane_client_id,
        report.kind.as_str(),
        new.judgement.class.as_str(),
        new.judgement.risk.as_str(),
        report.headline(),
        report.command,
        &new.digest.0[..],
        outcome,
        new.now,
        Json(&new.requirement) as Json<&Requirement>,
        new.policy_version,
        new.replaces,
        report.body,
        json!(report.options),
        context,
        option,
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn insert_dialog(conn: &mut PgConnection, new: &NewDialog<'_>) -> sqlx::Result<()> {
    let (report, judgement) = (new.report, new.judgement);
    sqlx::query!(
        "insert into dialogs (proposal_id, pane_client_id, instance, pane_key, session_id, agent_kind, source, dialog_kind,
            truncated, cwd, repo_root, worktree, repo_scoped, veto, verdict, policy_source, would_verdict, would_source, rule_id,
            judgement, report)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)",
        new.id,
        new.pane_client_id,
        report.instance,
        report.pane,
        report.session_id,
        report.agent_kind,
        report.source.as_str(),
        report.kind.as_str(),
        report.truncated,
        report.cwd,
        report.repo_root,
        report.worktree,
        judgement.repo_scoped,
        judgement.veto,
        judgement.verdict().as_str(),
        judgement.policy_source.as_str(),
        judgement.would.0.as_str(),
        judgement.would.1.as_str(),
        judgement.rule,
        Json(Kept::of(judgement)) as Json<Kept>,
        Json(report) as Json<&Report>,
    )
    .execute(conn)
    .await?;
    Ok(())
}
