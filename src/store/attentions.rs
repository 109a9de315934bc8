//! Episodes in which a person is needed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::proposals::list::Filter;
use crate::domain::attention::Cause;

/// An episode to raise.
#[derive(Debug)]
pub struct NewAttention<'a> {
    /// Its id.
    pub id: Uuid,
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Its cause.
    pub cause: Cause,
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
#[derive(Clone, Debug)]
pub struct Attention {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
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

/// The columns stand once.
macro_rules! attention_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            Attention,
            r#"select a.id, a.project_id, a.lane_id, l.name::text as "lane!", a.cause, a.proposal_id, a.detail, a.raised_at
            from attentions a join lanes l on l.id = a.lane_id where a.cleared_at is null "# + $tail,
            $($arg),*
        )
    };
}

/// Raises an episode; false when it was raised before.
pub async fn raise(conn: &mut PgConnection, new: &NewAttention<'_>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into attentions (id, project_id, lane_id, cause, episode, proposal_id, detail, raised_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (lane_id, cause, episode) do nothing",
        new.id,
        new.place.0,
        new.place.1,
        new.cause.as_str(),
        new.episode,
        new.proposal_id,
        new.detail,
        new.now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// An episode that is over.
#[derive(Debug)]
pub struct Cleared {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its cause.
    pub cause: String,
    /// The proposal it was about.
    pub proposal_id: Option<Uuid>,
}

/// Clears the open episodes of a proposal and of those it stands in for.
pub async fn clear_of(conn: &mut PgConnection, proposal: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Cleared>> {
    sqlx::query_as!(
        Cleared,
        "with recursive line as (
            select $1::uuid as id
            union
            select p.replaces from line join proposals p on p.id = line.id where p.replaces is not null
        )
        update attentions set cleared_at = $2 where proposal_id in (select id from line) and cleared_at is null
        returning id, project_id, lane_id, cause, proposal_id",
        proposal,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Clears one episode of a lane, if it is open.
pub async fn clear_episode(
    conn: &mut PgConnection,
    lane: Uuid,
    (cause, episode): (Cause, &str),
    now: DateTime<Utc>,
) -> sqlx::Result<Vec<Cleared>> {
    sqlx::query_as!(
        Cleared,
        "update attentions set cleared_at = $4 where lane_id = $1 and cause = $2 and episode = $3 and cleared_at is null
        returning id, project_id, lane_id, cause, proposal_id",
        lane,
        cause.as_str(),
        episode,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Clears one episode by its id, if it is open.
pub async fn clear_one(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Cleared>> {
    sqlx::query_as!(
        Cleared,
        "update attentions set cleared_at = $2 where id = $1 and cleared_at is null
        returning id, project_id, lane_id, cause, proposal_id",
        id,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Clears every open episode of a lane.
pub async fn clear_lane(conn: &mut PgConnection, lane: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Cleared>> {
    sqlx::query_as!(
        Cleared,
        "update attentions set cleared_at = $2 where lane_id = $1 and cleared_at is null
        returning id, project_id, lane_id, cause, proposal_id",
        lane,
        now,
    )
    .fetch_all(conn)
    .await
}

/// Clears every open episode about a proposal, in every lane.
pub async fn clear_all_of_proposals(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<Vec<Cleared>> {
    sqlx::query_as!(
        Cleared,
        "update attentions set cleared_at = $1 where proposal_id is not null and cleared_at is null
        returning id, project_id, lane_id, cause, proposal_id",
        now,
    )
    .fetch_all(conn)
    .await
}

/// A lane's open episodes, oldest first.
pub async fn open(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Vec<Attention>> {
    attention_rows!("and a.lane_id = $1 order by a.id", lane).fetch_all(conn).await
}

/// The open episodes where somebody may look, oldest first.
pub async fn open_where(conn: &mut PgConnection, seen: &Filter) -> sqlx::Result<Vec<Attention>> {
    attention_rows!(
        "and ($1 or a.project_id = any($2) or a.lane_id = any($3)) order by a.id",
        seen.everywhere,
        &seen.projects,
        &seen.lanes,
    )
    .fetch_all(conn)
    .await
}

/// One open episode, held until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Attention>> {
    attention_rows!("and a.id = $1 for update of a", id).fetch_optional(conn).await
}

/// A dialog that waits for somebody who may decide it.
#[derive(Debug)]
pub struct Waiting {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its class.
    pub class: String,
    /// Its risk.
    pub risk: String,
    /// How many episodes in which nobody could decide it are over.
    pub over: i64,
}

impl Waiting {
    /// Project and lane.
    pub fn place(&self) -> (Uuid, Uuid) {
        (self.project_id, self.lane_id)
    }

    /// What tells its episode without an approver from those before.
    pub fn key(&self) -> String {
        if self.over == 0 { self.id.to_string() } else { format!("{}/{}", self.id, self.over) }
    }
}

/// The dialogs that wait and that somebody could decide when they were last looked at, held until the transaction ends.
/// What somebody decides just now is left out.
pub async fn decidable(conn: &mut PgConnection) -> sqlx::Result<Vec<Waiting>> {
    sqlx::query_as!(
        Waiting,
        r#"select p.id, a.project_id, a.lane_id, coalesce(p.class, p.kind) as "class!", p.risk,
            (select count(*) from attentions n
                where n.lane_id = a.lane_id and n.cause = $2 and n.proposal_id = p.id) as "over!"
        from attentions a join proposals p on p.id = a.proposal_id
        where a.cleared_at is null and a.cause = $1 and p.status = 'pending' and not exists
            (select from attentions n
                where n.lane_id = a.lane_id and n.cause = $2 and n.proposal_id = p.id and n.cleared_at is null)
        order by p.id for update of p skip locked"#,
        Cause::Held.as_str(),
        Cause::NoApprover.as_str(),
    )
    .fetch_all(conn)
    .await
}

/// The dialogs that wait and of which somebody was told that nobody may decide them.
pub async fn undecidable(conn: &mut PgConnection) -> sqlx::Result<Vec<Waiting>> {
    sqlx::query_as!(
        Waiting,
        r#"select p.id, a.project_id, a.lane_id, coalesce(p.class, p.kind) as "class!", p.risk,
            (select count(*) from attentions n
                where n.lane_id = a.lane_id and n.cause = $1 and n.proposal_id = p.id and n.cleared_at is not null) as "over!"
        from attentions a join proposals p on p.id = a.proposal_id
        where a.cleared_at is null and a.cause = $1 order by a.id"#,
        Cause::NoApprover.as_str(),
    )
    .fetch_all(conn)
    .await
}
