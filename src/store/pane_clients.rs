//! Pane clients: principals that watch the panes of some lanes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// A pane client in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct PaneClientRow {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The names of its lanes.
    pub lanes: Vec<String>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When its token was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A lane as a principal needs it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct OwnLane {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its project.
    pub project: Uuid,
}

/// A pane client that is in use, with the lanes it has now.
#[derive(Clone, Debug)]
pub struct Live {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Rises whenever its tokens are taken back.
    pub token_epoch: i32,
    /// Its lanes that were not removed.
    pub lanes: Json<Vec<OwnLane>>,
}

/// A lane of a pane client, as it has to know it.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The lane's name.
    pub name: String,
    /// The lane's worktree.
    pub worktree: String,
    /// The project's repository.
    pub repo: String,
}

/// Who is behind a long-lived token.
#[derive(Clone, Debug)]
pub struct Enrolled {
    /// The pane client.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its epoch.
    pub token_epoch: i32,
    /// The token.
    pub token_id: Uuid,
    /// Whether its last use is recorded from within the last minute.
    pub used_lately: bool,
    /// The database's time of this reading.
    pub now: DateTime<Utc>,
}

/// All pane clients that were not removed, or the one of a name.
pub async fn list(conn: &mut PgConnection, name: Option<&str>) -> sqlx::Result<Vec<PaneClientRow>> {
    sqlx::query_as!(
        PaneClientRow,
        r#"select c.id, c.name::text as "name!", c.created_at,
            array(select l.name::text from pane_client_lanes pl join lanes l on l.id = pl.lane_id
                where pl.pane_client_id = c.id and l.removed_at is null order by 1) as "lanes!: Vec<String>",
            (select max(t.last_used_at) from tokens t where t.principal_id = c.id) as last_used_at
        from pane_clients c
        where c.removed_at is null and ($1::text is null or c.name::text = $1) order by c.name"#,
        name,
    )
    .fetch_all(conn)
    .await
}

/// A pane client by name, ours to change until the transaction ends. Not against new rows that name it: a decision that
/// holds one of its proposals writes an order for it.
pub async fn lock(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "select id from pane_clients where name::text = $1 and removed_at is null for no key update",
        name
    )
    .fetch_optional(conn)
    .await
}

/// Stores a pane client with its lanes.
pub async fn insert(
    conn: &mut PgConnection,
    (id, name): (Uuid, &str),
    lanes: &[Uuid],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!("insert into pane_clients (id, name, created_at) values ($1, $2::text, $3)", id, name, now)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("insert into pane_client_lanes (pane_client_id, lane_id) select $1, unnest($2::uuid[])", id, lanes)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes a pane client; its name stays taken.
pub async fn remove(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update pane_clients set removed_at = $2 where id = $1", id, now).execute(conn).await?;
    Ok(())
}

/// Makes every short-lived token of a pane client void.
pub async fn raise_epoch(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("update pane_clients set token_epoch = token_epoch + 1 where id = $1", id).execute(conn).await?;
    Ok(())
}

/// A pane client that is in use under this epoch, with its lanes as they are now.
pub async fn find(conn: &mut PgConnection, id: Uuid, token_epoch: i32) -> sqlx::Result<Option<Live>> {
    sqlx::query_as!(
        Live,
        r#"select c.id, c.name::text as "name!", c.token_epoch,
            (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'project', l.project_id)), '[]')
                from pane_client_lanes pl join lanes l on l.id = pl.lane_id
                where pl.pane_client_id = c.id and l.removed_at is null) as "lanes!: Json<Vec<OwnLane>>"
        from pane_clients c where c.id = $1 and c.token_epoch = $2 and c.removed_at is null"#,
        id,
        token_epoch,
    )
    .fetch_optional(conn)
    .await
}

/// The lanes of a pane client, by name, with their folders.
pub async fn watched(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Vec<Watched>> {
    sqlx::query_as!(
        Watched,
        r#"select l.name::text as "name!", l.worktree, p.repo_path as repo
        from pane_client_lanes pl join lanes l on l.id = pl.lane_id join projects p on p.id = l.project_id
        where pl.pane_client_id = $1 and l.removed_at is null order by 1"#,
        id,
    )
    .fetch_all(conn)
    .await
}

/// Holds a pane client as it is until the transaction ends; false when it was removed or its tokens were taken back.
pub async fn hold(conn: &mut PgConnection, id: Uuid, token_epoch: i32) -> sqlx::Result<bool> {
    let held = sqlx::query!(
        "select from pane_clients where id = $1 and token_epoch = $2 and removed_at is null for share",
        id,
        token_epoch,
    )
    .fetch_optional(conn)
    .await?;
    Ok(held.is_some())
}

/// The pane client behind the hash of a long-lived token, if both are good.
pub async fn find_enrolled(conn: &mut PgConnection, hash: &[u8], offset_us: i64) -> sqlx::Result<Option<Enrolled>> {
    sqlx::query_as!(
        Enrolled,
        r#"with at as (select clock_at($2) as now)
        select c.id, c.name::text as "name!", c.token_epoch, t.id as token_id, at.now as "now!",
            coalesce(t.last_used_at > at.now - interval '1 minute', false) as "used_lately!"
        from at, tokens t join pane_clients c on c.id = t.principal_id and c.removed_at is null
        where t.token_hash = $1 and t.principal_kind = 'pane_client' and t.revoked_at is null
            and (t.expires_at is null or t.expires_at > at.now)"#,
        hash,
        offset_us,
    )
    .fetch_optional(conn)
    .await
}

/// The public key under which short-lived tokens of this `kid` verify, unless it was retired.
pub async fn token_key(conn: &mut PgConnection, kid: &str) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!(
        "select public_key from signing_keys where kid = $1 and purpose = 'pane_token' and retired_at is null",
        kid,
    )
    .fetch_optional(conn)
    .await
}
