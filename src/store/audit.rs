//! The journal as people read it: newest first, filtered, a page at a time.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// What somebody wants to see of the journal. Every field that is given narrows it.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// A lane's name.
    pub lane: Option<String>,
    /// A kind (`proposal.decided`), or what kinds begin with (`proposal`).
    pub kind: Option<String>,
    /// An actor (`person:ann`), or a bare name.
    pub actor: Option<String>,
    /// From this moment on.
    pub since: Option<DateTime<Utc>>,
    /// Before this moment.
    pub until: Option<DateTime<Utc>>,
    /// About this proposal.
    pub proposal: Option<Uuid>,
}

/// Where somebody may read the journal. Rows of no place are for those who may read everywhere.
#[derive(Clone, Debug, Default)]
pub struct AuditScope {
    /// No limit.
    pub everywhere: bool,
    /// Rows of these projects.
    pub projects: Vec<Uuid>,
    /// Rows of these lanes.
    pub lanes: Vec<Uuid>,
}

/// A journal row as people read it.
#[derive(Clone, Debug)]
pub struct AuditRow {
    /// Its id.
    pub id: i64,
    /// Its epoch.
    pub epoch: i32,
    /// The transaction that wrote it, in decimal.
    pub xid: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What happened.
    pub kind: String,
    /// Who did it.
    pub actor: String,
    /// The project's name.
    pub project: Option<String>,
    /// The lane's name.
    pub lane: Option<String>,
    /// The proposal.
    pub proposal_id: Option<Uuid>,
    /// The proposal's version after it.
    pub version: Option<i32>,
    /// The exact text of the particulars; none once redacted.
    pub payload: Option<String>,
    /// When retention took the particulars away.
    pub redacted_at: Option<DateTime<Utc>>,
}

/// Rows with an id below `before`, newest first.
pub async fn page(
    conn: &mut PgConnection,
    scope: &AuditScope,
    filter: &AuditFilter,
    (before, limit): (Option<i64>, i64),
) -> sqlx::Result<Vec<AuditRow>> {
    sqlx::query_as!(
        AuditRow,
        r#"select e.id, e.epoch, e.xid::text as "xid!", e.at, e.kind, e.actor, p.name::text as "project?",
            l.name::text as "lane?", e.proposal_id, e.version, e.payload::text as payload, e.redacted_at
        from events e
        left join projects p on p.id = e.project_id
        left join lanes l on l.id = e.lane_id
        where e.id < coalesce($1, 9223372036854775807)
            and ($2::text is null or e.lane_id = (select id from lanes where name = $2))
            and ($3::text is null or e.kind = $3 or starts_with(e.kind, $3 || '.'))
            and ($4::text is null or e.actor = $4 or split_part(e.actor, ':', 2) = $4)
            and ($5::timestamptz is null or e.at >= $5)
            and ($6::timestamptz is null or e.at < $6)
            and ($7::uuid is null or e.proposal_id = $7)
            and ($8 or e.project_id = any($9) or e.lane_id = any($10))
        order by e.id desc limit $11"#,
        before,
        filter.lane,
        filter.kind,
        filter.actor,
        filter.since,
        filter.until,
        filter.proposal,
        scope.everywhere,
        &scope.projects,
        &scope.lanes,
        limit,
    )
    .fetch_all(conn)
    .await
}
