//! Bearer tokens of machine principals: hashes, what they stand for, and when they end.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A good token with the agent it stands for.
#[derive(Clone, Debug)]
pub struct AgentToken {
    /// The token's id.
    pub token_id: Uuid,
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether its last use is recorded from within the last minute.
    pub used_lately: bool,
    /// The agent.
    pub agent_id: Uuid,
    /// The agent's name.
    pub agent: String,
    /// Whether it leads its project.
    pub lead: bool,
    /// Whether it was ever seen over MCP.
    pub mounted: bool,
    /// The lane it is bound to.
    pub lane_id: Uuid,
    /// The lane's name.
    pub lane: String,
    /// The lane's project.
    pub project_id: Uuid,
    /// The database's time of this reading.
    pub now: DateTime<Utc>,
}

/// A token to store.
#[derive(Debug)]
pub struct NewToken<'a> {
    /// Its id.
    pub id: Uuid,
    /// `agent` or `pane_client`.
    pub principal_kind: &'a str,
    /// Whom it stands for.
    pub principal_id: Uuid,
    /// SHA-256 of the token's text.
    pub hash: &'a [u8],
    /// Its last four characters.
    pub hint: &'a str,
    /// When it was made.
    pub at: DateTime<Utc>,
}

/// A token in a list: never the token itself.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct TokenRow {
    /// Its id.
    pub id: Uuid,
    /// Its last four characters.
    pub hint: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it ends by itself.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// The agent behind a token hash, if token, agent and lane are all still good.
pub async fn find_agent(conn: &mut PgConnection, hash: &[u8], offset_us: i64) -> sqlx::Result<Option<AgentToken>> {
    sqlx::query_as!(
        AgentToken,
        r#"with at as (select clock_at($2) as now)
           select t.id as token_id, t.expires_at, a.id as agent_id, a.name::text as "agent!", a.lead, a.mounted_at is not null as "mounted!",
                  l.id as lane_id, l.name::text as "lane!", l.project_id, at.now as "now!",
                  coalesce(t.last_used_at > at.now - interval '1 minute', false) as "used_lately!"
           from at, tokens t
           join agents a on a.id = t.principal_id and a.removed_at is null
           join lanes l on l.id = a.lane_id and l.removed_at is null
           where t.token_hash = $1 and t.principal_kind = 'agent' and t.revoked_at is null
             and (t.expires_at is null or t.expires_at > at.now)"#,
        hash,
        offset_us,
    )
    .fetch_optional(conn)
    .await
}

/// Whether a token is good right now; for statements and flows that write in its name.
pub async fn is_live(conn: &mut PgConnection, token_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
             select from tokens t join agents a on a.id = t.principal_id and a.removed_at is null
             where t.id = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)
           ) as "live!""#,
        token_id,
        now,
    )
    .fetch_one(conn)
    .await
}

/// Notes a use.
pub async fn touch(conn: &mut PgConnection, token_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update tokens set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)",
        token_id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores a token's hash.
pub async fn insert(conn: &mut PgConnection, token: NewToken<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into tokens (id, principal_kind, principal_id, token_hash, hint, created_at)
         values ($1, $2, $3, $4, $5, $6)",
        token.id,
        token.principal_kind,
        token.principal_id,
        token.hash,
        token.hint,
        token.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The good tokens of a principal, newest first.
pub async fn of_principal(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<TokenRow>> {
    sqlx::query_as!(
        TokenRow,
        "select id, hint, created_at, expires_at, last_used_at from tokens
         where principal_id = $1 and revoked_at is null
           and (expires_at is null or expires_at > $2)
         order by id desc",
        id,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Ends a principal's tokens at once; returns their ids.
pub async fn revoke_all(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update tokens set revoked_at = $2
         where principal_id = $1 and revoked_at is null
           and (expires_at is null or expires_at > $2)
         returning id",
        id,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Lets a principal's tokens end at `end` if they would last longer; returns their ids.
pub async fn expire_all(conn: &mut PgConnection, id: Uuid, end: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update tokens set expires_at = $2
         where principal_id = $1 and revoked_at is null
           and (expires_at is null or expires_at > $2)
         returning id",
        id,
        end,
    )
    .fetch_all(conn)
    .await
}
