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
