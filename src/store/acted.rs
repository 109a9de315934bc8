//! The journal's rows of what supervision did, as clients read them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::JsonValue;
use uuid::Uuid;

use super::audit::AuditScope;

/// One row.
#[derive(Clone, Debug)]
pub struct ActedRow {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// The lane's name.
    pub lane: String,
    /// The lane.
    pub lane_id: Uuid,
    /// The particulars; none once redacted.
    pub payload: Option<JsonValue>,
}

/// The particulars, as the contract names them. What an older server did not write is null.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Particulars {
    /// The pane's key.
    pub pane: Option<String>,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The agent kind.
    pub agent_kind: Option<String>,
    /// `dialog`, `mail`, `stall`, `manual_nudge`, `legacy_rule`, `message`.
    pub trigger: Option<String>,
    /// The dialog's class.
    pub dialog_class: Option<String>,
    /// Whether the request was proven to stay inside.
    pub repo_scoped: Option<bool>,
    /// `approve`, `deny`, `hold`, `nudge`, `full_body`.
    pub decision: Option<String>,
    /// Why.
    pub policy_source: Option<String>,
    /// Under which version of the policy.
    pub policy_version: Option<i64>,
    /// The keys that were sent.
    pub keys: Option<Vec<String>>,
    /// `sent`, `skipped`, `failed`, `held`; null once retention took the particulars away.
    pub outcome: Option<String>,
    /// Why it came to that.
    pub reason: Option<String>,
    /// What it was about.
    pub subject: Option<String>,
    /// The screen.
    pub pane_excerpt: Option<String>,
}

/// Rows with a number below `before`, newest first, within what somebody may see.
pub async fn page(
    conn: &mut PgConnection,
    scope: &AuditScope,
    lane: Option<&str>,
    (before, limit): (Option<i64>, i64),
) -> sqlx::Result<Vec<ActedRow>> {
    sqlx::query_as!(
        ActedRow,
        r#"select e.id, e.at, l.name::text as "lane!", l.id as lane_id, e.payload
        from events e join lanes l on l.id = e.lane_id
        where e.kind = 'supervision.acted' and e.id < coalesce($1, 9223372036854775807)
            and ($2 or e.project_id = any($3) or e.lane_id = any($4))
            and ($5::text is null or e.lane_id = (select id from lanes where name::text = $5))
        order by e.id desc limit $6"#,
        before,
        scope.everywhere,
        &scope.projects,
        &scope.lanes,
        lane,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// The newest row of each of these lanes.
pub async fn newest(conn: &mut PgConnection, lanes: &[Uuid]) -> sqlx::Result<Vec<ActedRow>> {
    sqlx::query_as!(
        ActedRow,
        r#"select e.id as "id!", e.at as "at!", l.name::text as "lane!", l.id as lane_id, e.payload
        from lanes l join lateral (
            select id, at, payload from events where lane_id = l.id and kind = 'supervision.acted' order by id desc limit 1
        ) e on true
        where l.id = any($1)"#,
        lanes,
    )
    .fetch_all(conn)
    .await
}

/// The row of an order that is done with.
pub async fn of_order(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<Option<ActedRow>> {
    sqlx::query_as!(
        ActedRow,
        r#"select e.id, e.at, l.name::text as "lane!", l.id as lane_id, e.payload
        from events e join lanes l on l.id = e.lane_id
        where e.kind = 'supervision.acted' and e.payload ->> 'order_id' = $1"#,
        order.to_string(),
    )
    .fetch_optional(conn)
    .await
}

impl ActedRow {
    /// What it says.
    pub fn particulars(&self) -> Particulars {
        let read = |payload: &JsonValue| serde::Deserialize::deserialize(payload).ok();
        self.payload.as_ref().and_then(read).unwrap_or_default()
    }
}
