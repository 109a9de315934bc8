//! Episodes in which a person is needed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// An episode to raise.
#[derive(Debug)]
pub struct NewAttention<'a> {
    /// Its id.
    pub id: Uuid,
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Its cause, a stable word.
    pub cause: &'a str,
    /// What tells it from others of the same cause.
    pub episode: &'a str,
    /// The proposal it is about.
    pub proposal_id: Option<Uuid>,
    /// A sentence.
    pub detail: &'a str,
    /// When.
    pub now: DateTime<Utc>,
}

/// An open episode.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct Attention {
    /// Its id.
    pub id: Uuid,
    /// The lane's name.
    pub lane: String,
    /// Its cause.
    pub cause: String,
    /// The proposal it is about.
    pub proposal_id: Option<Uuid>,
    /// A sentence.
    pub detail: String,
    /// Since when.
    pub raised_at: DateTime<Utc>,
}

/// Raises an episode; false when it was raised before.
pub async fn raise(conn: &mut PgConnection, new: &NewAttention<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into attentions (id, project_id, lane_id, cause, episode, proposal_id, detail, raised_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (lane_id, cause, episode) do nothing",
        new.id,
        new.place.0,
        new.place.1,
        new.cause,
        new.episode,
        new.proposal_id,
        new.detail,
        new.now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Clears the open episodes of a proposal and of those it stands in for; their ids and causes.
pub async fn clear_of(
    conn: &mut PgConnection,
    proposal: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        "with recursive line as (
            select $1::uuid as id
            union
            select p.replaces from line join proposals p on p.id = line.id where p.replaces is not null
        )
        update attentions set cleared_at = $2 where proposal_id in (select id from line) and cleared_at is null
        returning id, cause",
        proposal,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.cause)).collect())
}

/// A lane's open episodes, oldest first.
pub async fn open(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Vec<Attention>> {
    sqlx::query_as!(
        Attention,
        r#"select a.id, l.name::text as "lane!", a.cause, a.proposal_id, a.detail, a.raised_at
        from attentions a join lanes l on l.id = a.lane_id
        where a.lane_id = $1 and a.cleared_at is null order by a.id"#,
        lane,
    )
    .fetch_all(conn)
    .await
}
