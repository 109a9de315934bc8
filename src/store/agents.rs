//! Agents: principals that are bound to one lane.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// An agent in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct AgentRow {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its lane's name.
    pub lane: String,
    /// Whether it leads its project.
    pub lead: bool,
    /// The pane it is bound to.
    pub pane: Option<String>,
    /// Proposals in flight.
    pub pending: i32,
    /// How many it may have in flight.
    pub cap: i32,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When one of its tokens was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// An agent that is being changed, with where it belongs.
#[derive(Clone, Debug)]
pub struct AgentPlace {
    /// Its id.
    pub id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's project.
    pub project_id: Uuid,
}

/// An agent to store.
#[derive(Debug)]
pub struct NewAgent<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: &'a str,
    /// Its lane.
    pub lane_id: Uuid,
    /// Whether it leads its project.
    pub lead: bool,
    /// The pane it is bound to.
    pub pane: Option<&'a str>,
    /// How many proposals it may have in flight.
    pub cap: i32,
    /// When it was added.
    pub at: DateTime<Utc>,
}

/// All agents that were not removed, or the one of a name.
pub async fn list(conn: &mut PgConnection, name: Option<&str>) -> sqlx::Result<Vec<AgentRow>> {
    sqlx::query_as!(
        AgentRow,
        r#"select a.id, a.name::text as "name!", l.name::text as "lane!", a.lead, a.pane_key as pane, a.pending, a.cap,
                  a.created_at, (select max(t.last_used_at) from tokens t where t.principal_id = a.id) as last_used_at
           from agents a join lanes l on l.id = a.lane_id
           where a.removed_at is null and ($1::text is null or a.name::text = $1) order by a.name"#,
        name,
    )
    .fetch_all(conn)
    .await
}

/// Names of a lane's agents that were not removed.
pub async fn of_lane(conn: &mut PgConnection, lane_id: Uuid) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"select name::text as "name!" from agents where lane_id = $1 and removed_at is null order by name"#,
        lane_id,
    )
    .fetch_all(conn)
    .await
}

/// An agent by name, ours to change until the transaction ends.
pub async fn lock(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<AgentPlace>> {
    sqlx::query_as!(
        AgentPlace,
        "select a.id, a.lane_id, l.project_id from agents a join lanes l on l.id = a.lane_id
         where a.name::text = $1 and a.removed_at is null for update of a",
        name,
    )
    .fetch_optional(conn)
    .await
}

/// Stores an agent.
pub async fn insert(conn: &mut PgConnection, agent: NewAgent<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into agents (id, name, lane_id, lead, pane_key, cap, created_at) values ($1, $2::text, $3, $4, $5, $6, $7)",
        agent.id,
        agent.name,
        agent.lane_id,
        agent.lead,
        agent.pane,
        agent.cap,
        agent.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that an agent was seen over MCP; the first time counts.
pub async fn mount(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update agents set mounted_at = $2 where id = $1 and mounted_at is null", id, now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes an agent; its name stays taken.
pub async fn remove(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update agents set removed_at = $2 where id = $1", id, now).execute(conn).await?;
    Ok(())
}
