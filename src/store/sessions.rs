//! Signed-in sessions: the hash of a cookie's value, and until when it counts.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A live session with its person.
#[derive(Clone, Debug)]
pub struct LiveSession {
    /// The session.
    pub session_id: Uuid,
    /// The person.
    pub user_id: Uuid,
    /// The person's name.
    pub name: String,
    /// The zone their pages are in.
    pub time_zone: String,
    /// When they last gave their password in it.
    pub reauth_at: DateTime<Utc>,
    /// When it was last seen, to the minute.
    pub seen_at: DateTime<Utc>,
    /// The database's time of this reading.
    pub now: DateTime<Utc>,
}

/// A session to store.
#[derive(Debug)]
pub struct NewSession<'a> {
    /// Its id.
    pub id: Uuid,
    /// SHA-256 of the cookie's value.
    pub hash: &'a [u8],
    /// Whose it is.
    pub user_id: Uuid,
    /// What the browser calls itself.
    pub device: &'a str,
    /// Where it came from.
    pub source: &'a str,
    /// The sign-in.
    pub at: DateTime<Utc>,
    /// When it ends if unused.
    pub idle_until: DateTime<Utc>,
    /// When it ends in any case.
    pub expires_at: DateTime<Utc>,
}

/// A session in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct SessionRow {
    /// Its id.
    pub id: Uuid,
    /// What the browser calls itself.
    pub device: String,
    /// Where it signed in from.
    pub source: String,
    /// The sign-in.
    pub created_at: DateTime<Utc>,
    /// When it was last seen, to the minute.
    pub seen_at: DateTime<Utc>,
    /// When it ends in any case.
    pub expires_at: DateTime<Utc>,
}

/// The live session behind a cookie's hash, if its person may still sign in.
pub async fn find(conn: &mut PgConnection, hash: &[u8], offset_us: i64) -> sqlx::Result<Option<LiveSession>> {
    sqlx::query_as!(
        LiveSession,
        r#"with at as (select clock_at($2) as now)
           select s.id as session_id, s.user_id, u.name::text as "name!", u.time_zone, s.reauth_at, s.seen_at,
                  at.now as "now!"
           from at, sessions s join users u on u.id = s.user_id
           where s.id_hash = $1 and s.revoked_at is null and s.idle_until > at.now and s.expires_at > at.now
             and u.disabled_at is null"#,
        hash,
        offset_us,
    )
    .fetch_optional(conn)
    .await
}

/// Whether a session is live at `now`, for those who hold it longer than one request.
pub async fn is_live(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
             select from sessions s join users u on u.id = s.user_id and u.disabled_at is null
             where s.id = $1 and s.revoked_at is null and s.idle_until > $2 and s.expires_at > $2
           ) as "live!""#,
        id,
        now,
    )
    .fetch_one(conn)
    .await
}

/// Stores a new session.
pub async fn insert(conn: &mut PgConnection, session: NewSession<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into sessions (id, id_hash, user_id, device, source, created_at, seen_at, reauth_at, idle_until, expires_at)
         values ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8)",
        session.id,
        session.hash,
        session.user_id,
        session.device,
        session.source,
        session.at,
        session.idle_until,
        session.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that a session is in use.
pub async fn touch(
    conn: &mut PgConnection,
    id: Uuid,
    seen_at: DateTime<Utc>,
    idle_until: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "update sessions set seen_at = $2, idle_until = $3 where id = $1 and seen_at < $2",
        id,
        seen_at,
        idle_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Gives a live session a new cookie value after its person gave the password; false if it has ended meanwhile.
pub async fn rotate(conn: &mut PgConnection, id: Uuid, hash: &[u8], now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update sessions set id_hash = $2, reauth_at = $3
         where id = $1 and revoked_at is null and expires_at > $3",
        id,
        hash,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The live sessions of a person, newest first.
pub async fn of_user(conn: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<SessionRow>> {
    sqlx::query_as!(
        SessionRow,
        "select id, device, source, created_at, seen_at, expires_at from sessions
         where user_id = $1 and revoked_at is null and idle_until > $2 and expires_at > $2
         order by id desc",
        user_id,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Ends one session; returns its person's id, or nothing if it had ended.
pub async fn revoke(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "update sessions set revoked_at = $2
         where id = $1 and revoked_at is null and expires_at > $2 returning user_id",
        id,
        now,
    )
    .fetch_optional(conn)
    .await
}

/// Whose session it is, ended or not.
pub async fn owner(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<(Uuid, String)>> {
    let row = sqlx::query!(
        r#"select u.id, u.name::text as "name!" from sessions s join users u on u.id = s.user_id where s.id = $1"#,
        id,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.id, row.name)))
}

/// Ends the session of a cookie that its browser is about to lose; returns session and person.
pub async fn revoke_hash(
    conn: &mut PgConnection,
    hash: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<(Uuid, Uuid)>> {
    let row = sqlx::query!(
        "update sessions set revoked_at = $2
         where id_hash = $1 and revoked_at is null and expires_at > $2 returning id, user_id",
        hash,
        now,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.id, row.user_id)))
}

/// Ends all of a person's sessions, but the one to keep; returns those ended.
pub async fn revoke_all(
    conn: &mut PgConnection,
    user_id: Uuid,
    keep: Option<Uuid>,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update sessions set revoked_at = $3
         where user_id = $1 and id is distinct from $2 and revoked_at is null and expires_at > $3
         returning id",
        user_id,
        keep,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Forgets sessions that ended before `before`; the journal keeps their story.
pub async fn sweep(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done =
        sqlx::query!("delete from sessions where expires_at < $1 or revoked_at < $1", before).execute(conn).await?;
    Ok(done.rows_affected())
}
