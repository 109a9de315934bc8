//! Lists of proposals: newest first, by keyset, within what somebody may see.

use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Row, VoteRow, rows};
use crate::domain::answer::Answer;
use crate::domain::proposal::Requirement;

/// What somebody may see, and what they ask for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Every place; else only the projects and lanes named.
    pub everywhere: bool,
    /// Projects that may be seen.
    pub projects: Vec<Uuid>,
    /// Lanes that may be seen.
    pub lanes: Vec<Uuid>,
    /// Only this lane, by name.
    pub lane: Option<String>,
    /// Only these statuses; all when empty.
    pub statuses: Vec<String>,
    /// Only this agent, by name.
    pub agent: Option<String>,
    /// Only this kind.
    pub kind: Option<String>,
    /// Only this risk.
    pub risk: Option<String>,
    /// Only those made before this one.
    pub before: Option<Uuid>,
    /// How many at most.
    pub limit: i64,
}

impl Filter {
    /// Whether a place may be seen.
    pub fn shows(&self, project: Uuid, lane: Uuid) -> bool {
        self.everywhere || self.projects.contains(&project) || self.lanes.contains(&lane)
    }
}

/// The newest proposals that pass the filter.
pub async fn newest(conn: &mut PgConnection, filter: &Filter) -> sqlx::Result<Vec<Row>> {
    rows!(
        r#"where ($1 or project_id = any($2) or lane_id = any($3))
            and ($4::text is null or lane = $4)
            and (cardinality($5::text[]) = 0 or status = any($5))
            and ($6::text is null or agent = $6)
            and ($7::text is null or kind = $7)
            and ($8::text is null or risk = $8)
            and ($9::uuid is null or id < $9)
        order by id desc limit $10"#,
        filter.everywhere,
        &filter.projects,
        &filter.lanes,
        filter.lane,
        &filter.statuses,
        filter.agent,
        filter.kind,
        filter.risk,
        filter.before,
        filter.limit,
    )
    .fetch_all(conn)
    .await
}

/// Every pending proposal that may be seen , newest first: the inbox. Uses the partial index, so closed
/// proposals cost it nothing.
pub async fn pending(conn: &mut PgConnection, filter: &Filter) -> sqlx::Result<Vec<Row>> {
    rows!(
        r#"where status = 'pending' and ($1 or project_id = any($2) or lane_id = any($3))
            and ($4::text is null or lane = $4)
            and ($5::uuid is null or id < $5)
        order by id desc limit $6"#,
        filter.everywhere,
        &filter.projects,
        &filter.lanes,
        filter.lane,
        filter.before,
        filter.limit,
    )
    .fetch_all(conn)
    .await
}

/// How many proposals wait for a person.
pub async fn count_pending(conn: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"select count(*) as "n!" from proposals where status = 'pending'"#).fetch_one(conn).await
}
