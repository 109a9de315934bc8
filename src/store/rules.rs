//! Learned rules and the streaks they are proposed from.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::rule::{Match, Rule};

/// The project's rules that are in force at `now`.
pub async fn live(conn: &mut PgConnection, project: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Rule>> {
    let rows = sqlx::query!(
        r#"select id, argv as "argv: Json<Vec<String>>", matching from rules
        where project_id = $1 and removed_at is null and (expires_at is null or $2 < expires_at) order by id"#,
        project,
        now,
    )
    .fetch_all(conn)
    .await?;
    // A way of comparing that this program does not know covers nothing: a newer server wrote it.
    let read = rows.into_iter().filter_map(|row| {
        let matching = Match::from_word(&row.matching)?;
        Some(Rule { id: Some(row.id), argv: row.argv.0, matching })
    });
    Ok(read.collect())
}

/// Notes that a rule has lifted a hold, in the transaction that acts on it.
pub async fn hit(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update rules set hits = hits + 1, last_used_at = greatest(last_used_at, $2) where id = $1", id, now)
        .execute(conn)
        .await?;
    Ok(())
}

/// One more approval in a row of these words; how many that makes.
pub async fn raise_streak(
    conn: &mut PgConnection,
    project: Uuid,
    (hash, argv): (&[u8; 32], &[String]),
    now: DateTime<Utc>,
) -> sqlx::Result<i32> {
    sqlx::query_scalar!(
        r#"insert into rule_streaks as s (project_id, argv_hash, argv, approvals, updated_at) values ($1, $2, $3, 1, $4)
        on conflict (project_id, argv_hash) do update set approvals = s.approvals + 1, updated_at = $4
        returning approvals"#,
        project,
        &hash[..],
        Json(argv) as Json<&[String]>,
        now,
    )
    .fetch_one(conn)
    .await
}

/// Somebody said no, or settled the suggestion: counting starts again.
pub async fn end_streak(conn: &mut PgConnection, project: Uuid, hash: &[u8; 32]) -> sqlx::Result<()> {
    sqlx::query!("delete from rule_streaks where project_id = $1 and argv_hash = $2", project, &hash[..])
        .execute(conn)
        .await?;
    Ok(())
}
