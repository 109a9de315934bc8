//! Projects and lanes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::dialog::Home;

/// A project in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct ProjectRow {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The repository's folder.
    pub repo: String,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

/// A lane in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct LaneRow {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its project's name.
    pub project: String,
    /// Its project's id.
    pub project_id: Uuid,
    /// The worktree's folder.
    pub worktree: String,
    /// The profile its agents run with.
    pub profile: Option<String>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

/// A lane to store.
#[derive(Debug)]
pub struct NewLane<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: &'a str,
    /// Its project.
    pub project_id: Uuid,
    /// The worktree's folder.
    pub worktree: &'a str,
    /// The profile its agents run with.
    pub profile: Option<&'a str>,
    /// When it was added.
    pub at: DateTime<Utc>,
}

/// All projects that were not removed, or the one of a name.
pub async fn projects(conn: &mut PgConnection, name: Option<&str>) -> sqlx::Result<Vec<ProjectRow>> {
    sqlx::query_as!(
        ProjectRow,
        r#"select id, name::text as "name!", repo_path as repo, created_at from projects
           where removed_at is null and ($1::text is null or name::text = $1) order by name"#,
        name,
    )
    .fetch_all(conn)
    .await
}

/// A project by name, kept from being removed until the transaction ends.
pub async fn project(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("select id from projects where name::text = $1 and removed_at is null for share", name)
        .fetch_optional(conn)
        .await
}

/// Stores a project.
pub async fn insert_project(
    conn: &mut PgConnection,
    id: Uuid,
    (name, repo): (&str, &str),
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into projects (id, name, repo_path, created_at) values ($1, $2::text, $3, $4)",
        id,
        name,
        repo,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a project that has no lanes left; returns its id.
pub async fn remove_project(conn: &mut PgConnection, name: &str, now: DateTime<Utc>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "update projects set removed_at = $2 where name::text = $1 and removed_at is null returning id",
        name,
        now,
    )
    .fetch_optional(conn)
    .await
}

/// All lanes that were not removed, or the one of a name.
pub async fn lanes(conn: &mut PgConnection, name: Option<&str>) -> sqlx::Result<Vec<LaneRow>> {
    sqlx::query_as!(
        LaneRow,
        r#"select l.id, l.name::text as "name!", p.name::text as "project!", l.project_id, l.worktree, l.profile, l.created_at
           from lanes l join projects p on p.id = l.project_id
           where l.removed_at is null and ($1::text is null or l.name::text = $1) order by p.name, l.name"#,
        name,
    )
    .fetch_all(conn)
    .await
}

/// A lane by name, kept from being removed until the transaction ends: its id and its project's.
pub async fn lane(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<(Uuid, Uuid)>> {
    let row =
        sqlx::query!("select id, project_id from lanes where name::text = $1 and removed_at is null for share", name)
            .fetch_optional(conn)
            .await?;
    Ok(row.map(|row| (row.id, row.project_id)))
}

/// Names of a project's lanes that were not removed.
pub async fn lanes_of(conn: &mut PgConnection, project_id: Uuid) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"select name::text as "name!" from lanes where project_id = $1 and removed_at is null order by name"#,
        project_id,
    )
    .fetch_all(conn)
    .await
}

/// Stores a lane.
pub async fn insert_lane(conn: &mut PgConnection, lane: NewLane<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into lanes (id, name, project_id, worktree, profile, created_at) values ($1, $2::text, $3, $4, $5, $6)",
        lane.id,
        lane.name,
        lane.project_id,
        lane.worktree,
        lane.profile,
        lane.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a lane; returns its project's id and its own.
pub async fn remove_lane(
    conn: &mut PgConnection,
    name: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(Uuid, Uuid)>> {
    let row = sqlx::query!(
        "update lanes set removed_at = $2 where name::text = $1 and removed_at is null returning project_id, id",
        name,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.project_id, row.id)))
}

/// The folders of a lane and its project, removed or not.
pub async fn home(conn: &mut PgConnection, lane_id: Uuid) -> sqlx::Result<Option<Home>> {
    sqlx::query_as!(
        Home,
        "select l.worktree, p.repo_path as repo from lanes l join projects p on p.id = l.project_id where l.id = $1",
        lane_id,
    )
    .fetch_optional(conn)
    .await
}

/// The worktree of a lane, removed or not.
pub async fn worktree(conn: &mut PgConnection, lane_id: Uuid) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("select worktree from lanes where id = $1", lane_id).fetch_optional(conn).await
}
