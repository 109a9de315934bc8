//! The policy's numbered versions, of which the head is in force.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::{Json, JsonValue};

use crate::domain::policy::Document;

/// The version in force.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its number.
    pub version: i64,
    /// How the journal names who made it.
    pub author: String,
    /// The whole policy.
    pub document: Document,
}

/// A version to store; the head moves to it.
#[derive(Debug)]
pub struct NewVersion<'a> {
    /// Its number: one more than the highest.
    pub version: i64,
    /// Who makes it.
    pub author: &'a str,
    /// Why, in their words.
    pub reason: Option<&'a str>,
    /// `set`, `import`, `rollback`, `suggestion`.
    pub origin: &'a str,
    /// The whole policy from now on.
    pub document: &'a Document,
    /// What differs: `[{path, from, to}]`.
    pub diff: &'a JsonValue,
    /// The version it follows.
    pub parent: i64,
    /// When.
    pub at: DateTime<Utc>,
}

/// A version in the history.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct VersionRow {
    /// Its number.
    pub version: i64,
    /// Who made it.
    pub author: String,
    /// Why, in their words.
    pub reason: Option<String>,
    /// `shipped`, `set`, `import`, `rollback`, `suggestion`.
    pub origin: String,
    /// What differs from the version it follows: `[{path, from, to}]`.
    pub diff: JsonValue,
    /// The version it follows.
    pub parent: Option<i64>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// The version in force, and the policy itself.
pub async fn head(conn: &mut PgConnection) -> sqlx::Result<(i64, Document)> {
    let row = sqlx::query!(
        r#"select p.version, p.document as "document: Json<Document>"
        from policy_head h join policies p on p.version = h.version"#,
    )
    .fetch_one(conn)
    .await?;
    Ok((row.version, row.document.0))
}

/// Keeps the policy and the pause as they are until the transaction ends, so that nothing is answered or leased under
/// rules that an admin was told are gone. Read them in a statement after this one.
pub async fn hold(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select from policy_head h, instance i for share of h, i").execute(conn).await?;
    Ok(())
}

/// Takes the head until the transaction ends: policy changes are made one at a time, and this lock comes before all others.
pub async fn lock_head(conn: &mut PgConnection) -> sqlx::Result<Head> {
    let row = sqlx::query!(
        r#"select p.version, p.author, p.document as "document: Json<Document>"
        from policy_head h join policies p on p.version = h.version for update of h"#,
    )
    .fetch_one(conn)
    .await?;
    Ok(Head { version: row.version, author: row.author, document: row.document.0 })
}

/// Stores a version and puts it in force.
pub async fn insert(conn: &mut PgConnection, new: NewVersion<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "with made as (
            insert into policies (version, author, reason, origin, document, diff, parent, created_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8) returning version
        ) update policy_head set version = made.version from made",
        new.version,
        new.author,
        new.reason,
        new.origin,
        Json(new.document) as Json<&Document>,
        new.diff,
        new.parent,
        new.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The whole policy as it was in a version.
pub async fn document(conn: &mut PgConnection, version: i64) -> sqlx::Result<Option<Document>> {
    let row = sqlx::query_scalar!(
        r#"select document as "document: Json<Document>" from policies where version = $1"#,
        version
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|document| document.0))
}

/// Versions below `before`, newest first.
pub async fn history(conn: &mut PgConnection, (before, limit): (Option<i64>, i64)) -> sqlx::Result<Vec<VersionRow>> {
    sqlx::query_as!(
        VersionRow,
        r#"select version, author, reason, origin, diff, parent, created_at from policies
        where version < coalesce($1, 9223372036854775807) order by version desc limit $2"#,
        before,
        limit,
    )
    .fetch_all(conn)
    .await
}
