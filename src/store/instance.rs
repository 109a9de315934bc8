//! The one row that says which installation this is: its set-up code and its settings.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;

use crate::domain::settings::Settings;

/// The set-up code's state.
#[derive(Clone, Debug)]
pub struct SetupCode {
    /// SHA-256 of the code.
    pub hash: Option<Vec<u8>>,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Takes the row until the transaction ends: the first user, and who is the last admin, are settled one at a time.
pub async fn lock(conn: &mut PgConnection) -> sqlx::Result<SetupCode> {
    sqlx::query_as!(SetupCode, "select setup_hash as hash, setup_expires_at as expires_at from instance for update")
        .fetch_one(conn)
        .await
}

/// The set-up code as it is now.
pub async fn setup_code(conn: &mut PgConnection) -> sqlx::Result<SetupCode> {
    sqlx::query_as!(SetupCode, "select setup_hash as hash, setup_expires_at as expires_at from instance")
        .fetch_one(conn)
        .await
}

/// Sets or clears the set-up code.
pub async fn set_setup_code(conn: &mut PgConnection, code: Option<(&[u8], DateTime<Utc>)>) -> sqlx::Result<()> {
    sqlx::query!(
        "update instance set setup_hash = $1, setup_expires_at = $2",
        code.map(|(hash, _)| hash),
        code.map(|(_, end)| end),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The local settings; what was never set has its shipped value.
pub async fn settings(conn: &mut PgConnection) -> sqlx::Result<Settings> {
    let row = sqlx::query!(r#"select settings as "settings: Json<Settings>" from instance"#).fetch_one(conn).await?;
    Ok(row.settings.0)
}

/// Stores the local settings; what a newer server has stored beside them stays.
pub async fn set_settings(conn: &mut PgConnection, settings: &Settings) -> sqlx::Result<()> {
    sqlx::query!("update instance set settings = settings || $1", Json(settings) as Json<&Settings>)
        .execute(conn)
        .await?;
    Ok(())
}

/// A pause: no policy answers anything until the machine lifts it.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct Pause {
    /// Who paused.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Since when.
    pub at: DateTime<Utc>,
}

/// The pause, if there is one.
pub async fn pause(conn: &mut PgConnection) -> sqlx::Result<Option<Pause>> {
    sqlx::query_as!(
        Pause,
        r#"select coalesce(paused_by, '') as "by!", coalesce(pause_reason, '') as "reason!", paused_at as "at!"
        from instance where paused_at is not null"#,
    )
    .fetch_optional(conn)
    .await
}

/// Pauses, or lifts the pause. The row is locked before, so that who answers under a policy sees the one or the other.
pub async fn set_pause(conn: &mut PgConnection, pause: Option<&Pause>) -> sqlx::Result<()> {
    sqlx::query!(
        "update instance set paused_at = $1, paused_by = $2, pause_reason = $3",
        pause.map(|pause| pause.at),
        pause.map(|pause| pause.by.as_str()),
        pause.map(|pause| pause.reason.as_str()),
    )
    .execute(conn)
    .await?;
    Ok(())
}
