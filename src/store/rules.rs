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

/// A rule in a list.
#[derive(Clone, Debug)]
pub struct RuleRow {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its project's name.
    pub project: String,
    /// Its words.
    pub argv: Json<Vec<String>>,
    /// How they are compared.
    pub matching: String,
    /// Who confirmed it.
    pub owner: String,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
    /// How often it lifted a hold.
    pub hits: i64,
    /// When it last did.
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A rule to store.
#[derive(Debug)]
pub struct NewRule<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its words.
    pub argv: &'a [String],
    /// How they are compared.
    pub matching: Match,
    /// Who confirms it.
    pub owner: &'a str,
    /// Why.
    pub reason: Option<&'a str>,
    /// When.
    pub at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Rules that nobody removed, ended or not, newest first: of one project or of all.
pub async fn list(conn: &mut PgConnection, project: Option<&str>) -> sqlx::Result<Vec<RuleRow>> {
    sqlx::query_as!(
        RuleRow,
        r#"select r.id, r.project_id, p.name::text as "project!", r.argv as "argv: Json<Vec<String>>", r.matching, r.owner, r.reason,
            r.created_at, r.expires_at, r.hits, r.last_used_at
        from rules r join projects p on p.id = r.project_id
        where r.removed_at is null and ($1::text is null or p.name::text = $1) order by r.id desc"#,
        project,
    )
    .fetch_all(conn)
    .await
}

/// Stores a rule.
pub async fn insert(conn: &mut PgConnection, new: NewRule<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into rules (id, project_id, argv, matching, owner, reason, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        new.id,
        new.project_id,
        Json(new.argv) as Json<&[String]>,
        new.matching.as_str(),
        new.owner,
        new.reason,
        new.at,
        new.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a rule back; its project, unless it was taken back already.
pub async fn remove(conn: &mut PgConnection, id: Uuid, by: &str, now: DateTime<Utc>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "update rules set removed_at = $3, removed_by = $2 where id = $1 and removed_at is null returning project_id",
        id,
        by,
        now,
    )
    .fetch_optional(conn)
    .await
}

/// A command that dialogs asked about.
#[derive(Clone, Debug)]
pub struct SeenRow {
    /// Its words.
    pub argv: Json<Vec<String>>,
    /// How often.
    pub times: i64,
}

/// Single commands that a project's dialogs asked about since some time, the most frequent first.
pub async fn seen(
    conn: &mut PgConnection,
    project: Uuid,
    since: DateTime<Utc>,
    limit: i64,
) -> sqlx::Result<Vec<SeenRow>> {
    sqlx::query_as!(
        SeenRow,
        r#"select (d.judgement ->> 'argv')::json as "argv!: Json<Vec<String>>", count(*) as "times!"
        from dialogs d join proposals p on p.id = d.proposal_id
        where p.project_id = $1 and p.created_at >= $2 and p.class = 'command_exec' and d.judgement ->> 'argv' is not null
        group by d.judgement ->> 'argv' order by count(*) desc, d.judgement ->> 'argv' limit $3"#,
        project,
        since,
        limit,
    )
    .fetch_all(conn)
    .await
}
