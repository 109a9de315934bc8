//! Dialogs of the past, to be judged again under another policy.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::report::Report;

/// A dialog as it was reported.
#[derive(Clone, Debug)]
pub struct PastDialog {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// The lane's worktree.
    pub worktree: String,
    /// The project's repository.
    pub repo: String,
    /// When it was asked.
    pub at: DateTime<Utc>,
    /// Its title in lists.
    pub title: String,
    /// Why its verdict was what it was.
    pub policy_source: String,
    /// The report; none once redacted.
    pub report: Option<Json<Report>>,
}

/// Dialogs since some time and before an id, newest first.
pub async fn dialogs(
    conn: &mut PgConnection,
    since: DateTime<Utc>,
    (before, limit): (Option<Uuid>, i64),
) -> sqlx::Result<Vec<PastDialog>> {
    sqlx::query_as!(
        PastDialog,
        r#"select p.id, p.project_id, l.name::text as "lane!", l.worktree, pr.repo_path as repo, p.created_at as at, p.title, d.policy_source,
            d.report as "report: Json<Report>"
        from dialogs d join proposals p on p.id = d.proposal_id join lanes l on l.id = p.lane_id
            join projects pr on pr.id = p.project_id
        where p.created_at >= $1 and ($2::uuid is null or d.proposal_id < $2)
        order by d.proposal_id desc limit $3"#,
        since,
        before,
        limit,
    )
    .fetch_all(conn)
    .await
}
