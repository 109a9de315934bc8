//! What pages show around a list: how many wait in each lane, and what was decided lately.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::Content;
use super::list::Filter;
use crate::domain::ask::Question;

/// How many proposals wait in a lane.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The lane.
    pub lane_id: Uuid,
    /// How many.
    pub count: i64,
}

/// A decision, as short as it can be told.
#[derive(Clone, Debug)]
pub struct LastDecision {
    /// The outcome.
    pub outcome: String,
    /// By whom; none when it was no person.
    pub by: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
}

/// How many wait in each lane that may be seen; lanes with none are left out.
pub async fn waiting(conn: &mut PgConnection, seen: &Filter) -> sqlx::Result<Vec<Waiting>> {
    sqlx::query_as!(
        Waiting,
        r#"select lane_id, count(*) as "count!" from proposals
        where status = 'pending' and ($1 or project_id = any($2) or lane_id = any($3)) group by lane_id"#,
        seen.everywhere,
        &seen.projects,
        &seen.lanes,
    )
    .fetch_all(conn)
    .await
}

/// How many proposals of a sort wait in a lane.
#[derive(Clone, Debug)]
pub struct Sort {
    /// The project.
    pub project_id: Uuid,
    /// The lane.
    pub lane_id: Uuid,
    /// The dialog class, or the kind.
    pub class: String,
    /// The risk.
    pub risk: String,
    /// How many.
    pub count: i64,
}

/// What waits and is not over, sorted by what the right to decide depends on.
pub async fn sorts(conn: &mut PgConnection, seen: &Filter, now: DateTime<Utc>) -> sqlx::Result<Vec<Sort>> {
    sqlx::query_as!(
        Sort,
        r#"select project_id, lane_id, coalesce(class, kind) as "class!", risk, count(*) as "count!" from proposals
        where status = 'pending' and (expires_at is null or expires_at > $4)
            and ($1 or project_id = any($2) or lane_id = any($3))
        group by project_id, lane_id, coalesce(class, kind), risk"#,
        seen.everywhere,
        &seen.projects,
        &seen.lanes,
        now,
    )
    .fetch_all(conn)
    .await
}

/// How many were decided since a moment, where they may be seen. What was redacted is older than any day that is asked for.
pub async fn decided_since(conn: &mut PgConnection, seen: &Filter, since: DateTime<Utc>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from proposals
        where closed_at >= $4 and closed_at is not null and redacted_at is null
            and status in ('approved', 'modified', 'rejected') and ($1 or project_id = any($2) or lane_id = any($3))"#,
        seen.everywhere,
        &seen.projects,
        &seen.lanes,
        since,
    )
    .fetch_one(conn)
    .await
}

/// The newest decision that may be seen.
pub async fn last_decision(conn: &mut PgConnection, seen: &Filter) -> sqlx::Result<Option<LastDecision>> {
    sqlx::query_as!(
        LastDecision,
        r#"select d.outcome, u.name::text as "by?", d.decided_at as at
        from proposals p join decisions d on d.proposal_id = p.id left join users u on u.id = d.decided_by
        where p.closed_at is not null and p.redacted_at is null
            and ($1 or p.project_id = any($2) or p.lane_id = any($3))
        order by p.closed_at desc limit 1"#,
        seen.everywhere,
        &seen.projects,
        &seen.lanes,
    )
    .fetch_optional(conn)
    .await
}

/// The redactable parts of several proposals.
pub async fn contents(conn: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<(Uuid, Content)>> {
    let rows = sqlx::query!(
        r#"select proposal_id, justification, body, base, questions as "questions: Json<Vec<Question>>", redacted_at
        from proposal_content where proposal_id = any($1)"#,
        ids,
    )
    .fetch_all(conn)
    .await?;
    let content = rows.into_iter().map(|row| {
        let content = Content {
            justification: row.justification,
            body: row.body,
            base: row.base,
            questions: row.questions,
            redacted_at: row.redacted_at,
            // A list tells none of it.
            dialog: None,
        };
        (row.proposal_id, content)
    });
    Ok(content.collect())
}
