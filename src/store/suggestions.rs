//! What people and the service suggest to the local admin.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

/// A suggestion to store.
#[derive(Debug)]
pub struct NewSuggestion<'a> {
    /// Its id.
    pub id: Uuid,
    /// `rule` or `policy`.
    pub kind: &'a str,
    /// In words.
    pub text: &'a str,
    /// The proposal it was made at.
    pub proposal_id: Option<Uuid>,
    /// Project and lane it is about.
    pub place: Option<(Uuid, Uuid)>,
    /// The words that a rule would be made of, with their hash.
    pub argv: Option<(&'a [String], [u8; 32])>,
    /// `person:NAME`, or `system`.
    pub author: &'a str,
    /// When.
    pub at: DateTime<Utc>,
}

/// Stores a suggestion; false when the service has suggested these words already and nobody has settled it.
pub async fn insert(conn: &mut PgConnection, new: NewSuggestion<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into suggestions (id, kind, text, proposal_id, project_id, lane_id, argv, argv_hash, author, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        on conflict (project_id, argv_hash) where state = 'open' and author = 'system' do nothing",
        new.id,
        new.kind,
        new.text,
        new.proposal_id,
        new.place.map(|(project, _)| project),
        new.place.map(|(_, lane)| lane),
        new.argv.map(|(argv, _)| Json(argv)) as Option<Json<&[String]>>,
        new.argv.as_ref().map(|(_, hash)| &hash[..]),
        new.author,
        new.at,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A suggestion in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct SuggestionRow {
    /// Its id.
    pub id: Uuid,
    /// `rule` or `policy`.
    pub kind: String,
    /// In words.
    pub text: String,
    /// The proposal it was made at.
    pub proposal_id: Option<Uuid>,
    /// The project's name.
    pub project: Option<String>,
    /// The lane's name.
    pub lane: Option<String>,
    /// The words that a rule would be made of.
    #[schema(value_type = Option<Vec<String>>)]
    pub argv: Option<Json<Vec<String>>>,
    /// Who made it.
    pub author: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// `open`, `accepted`, `dismissed`.
    pub state: String,
    /// Who settled it.
    pub settled_by: Option<String>,
    /// When.
    pub settled_at: Option<DateTime<Utc>>,
    /// The rule it led to.
    pub rule_id: Option<Uuid>,
    /// The policy it led to.
    pub policy_version: Option<i64>,
}

/// A suggestion as who settles it needs it.
#[derive(Clone, Debug)]
pub struct Open {
    /// `rule` or `policy`.
    pub kind: String,
    /// Its project.
    pub project_id: Option<Uuid>,
    /// Its lane.
    pub lane_id: Option<Uuid>,
    /// The words that a rule would be made of.
    pub argv: Option<Json<Vec<String>>>,
    /// `open`, `accepted`, `dismissed`.
    pub state: String,
    /// Who settled it.
    pub settled_by: Option<String>,
}

/// What became of a suggestion.
#[derive(Debug)]
pub struct Settled<'a> {
    /// `accepted` or `dismissed`.
    pub state: &'a str,
    /// Who.
    pub by: &'a str,
    /// When.
    pub at: DateTime<Utc>,
    /// The rule it led to.
    pub rule_id: Option<Uuid>,
    /// The policy it led to.
    pub policy_version: Option<i64>,
}

/// Suggestions, newest first; only open ones, or all.
pub async fn list(conn: &mut PgConnection, open: bool, limit: i64) -> sqlx::Result<Vec<SuggestionRow>> {
    sqlx::query_as!(
        SuggestionRow,
        r#"select s.id, s.kind, s.text, s.proposal_id, p.name::text as "project?", l.name::text as "lane?",
            s.argv as "argv: Json<Vec<String>>", s.author, s.created_at, s.state, s.settled_by, s.settled_at, s.rule_id,
            s.policy_version
        from suggestions s left join projects p on p.id = s.project_id left join lanes l on l.id = s.lane_id
        where not $1 or s.state = 'open' order by s.id desc limit $2"#,
        open,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Takes a suggestion until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Open>> {
    sqlx::query_as!(
        Open,
        r#"select kind, project_id, lane_id, argv as "argv: Json<Vec<String>>", state, settled_by
        from suggestions where id = $1 for update"#,
        id,
    )
    .fetch_optional(conn)
    .await
}

/// Settles a suggestion.
pub async fn settle(conn: &mut PgConnection, id: Uuid, settled: Settled<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "update suggestions set state = $2, settled_by = $3, settled_at = $4, rule_id = $5, policy_version = $6 where id = $1",
        id,
        settled.state,
        settled.by,
        settled.at,
        settled.rule_id,
        settled.policy_version,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// How many of somebody's suggestions wait, and the one among them that says the same.
pub async fn waiting(
    conn: &mut PgConnection,
    author: &str,
    (kind, text, proposal): (&str, &str, Option<Uuid>),
) -> sqlx::Result<(i64, Option<Uuid>)> {
    let row = sqlx::query!(
        r#"select count(*) as "count!",
            (array_agg(id) filter (where kind = $2 and text = $3 and proposal_id is not distinct from $4))[1] as same
        from suggestions where author = $1 and state = 'open'"#,
        author,
        kind,
        text,
        proposal,
    )
    .fetch_one(conn)
    .await?;
    Ok((row.count, row.same))
}

/// The words of a dialog's single command, if a rule could be made of them.
pub async fn words_of(conn: &mut PgConnection, proposal: Uuid) -> sqlx::Result<Option<Vec<String>>> {
    let row = sqlx::query_scalar!(
        r#"select (d.judgement ->> 'argv')::json as "argv: Json<Vec<String>>"
        from dialogs d join proposals p on p.id = d.proposal_id
        where d.proposal_id = $1 and d.repo_scoped and not d.veto and p.class = 'command_exec'"#,
        proposal,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.flatten().map(|argv| argv.0))
}
