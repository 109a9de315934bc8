//! Closing a proposal: locking it in the right order, and the one statement of each way to close it.
//!
//! Lock order everywhere: agent, proposal, user. A create holds its agent's lock while it waits for a proposal with the
//! same content, so whoever closes one must take the agent first too.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::answer::Answer;
use crate::domain::ask::Question;
use crate::domain::dialog::DialogOption;
use crate::domain::proposal::{Outcome, Requirement, Status};
use crate::domain::ruling::Ruling;
use crate::store::grants::Stored;

/// A proposal whose row, and whose agent's row, this transaction holds.
#[derive(Clone, Debug)]
pub struct LockedRow {
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// The agent that asked.
    pub agent_id: Option<Uuid>,
    /// `change`, `question` or `dialog`.
    pub kind: String,
    /// The dialog class, if any.
    pub class: Option<String>,
    /// Its risk.
    pub risk: String,
    /// Where it stands.
    pub status: String,
    /// Its version.
    pub version: i32,
    /// Its content's digest.
    pub digest: Vec<u8>,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// What approving takes.
    pub requirement: Json<Requirement>,
    /// Whether it has a body.
    pub has_body: bool,
    /// Its questions.
    pub questions: Option<Json<Vec<Question>>>,
}

/// Locks the agent, then the proposal, and reads it.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<LockedRow>> {
    sqlx::query_as!(
        LockedRow,
        r#"with owner as materialized (
            select id from agents where id = (select agent_id from proposals where id = $1) for no key update
        )
        select p.project_id, p.lane_id, p.agent_id, p.kind, p.class, p.risk, p.status, p.version, p.digest, p.expires_at,
            p.requirement as "requirement!: Json<Requirement>", c.body is not null as "has_body!",
            c.questions as "questions: Json<Vec<Question>>"
        from proposals p
        join proposal_content c on c.proposal_id = p.id
        left join owner on true
        where p.id = $1
        for no key update of p"#,
        id,
    )
    .fetch_optional(conn)
    .await
}

/// One vote as the deciding transaction reads it.
#[derive(Clone, Debug, Deserialize)]
pub struct CastVote {
    /// Whose.
    pub user_id: Uuid,
    /// Their answer.
    pub outcome: String,
    /// What they approved, in hexadecimal.
    pub digest: String,
    /// Their answers to questions.
    pub answers: Option<Vec<Answer>>,
    /// The row of a dialog that they named.
    #[serde(default)]
    pub option: Option<u32>,
}

/// Who wants to decide, as of now.
#[derive(Clone, Debug)]
pub struct VoterRow {
    /// The flow's one `now`.
    pub now: DateTime<Utc>,
    /// The account is in use and the session is good.
    pub alive: bool,
    /// When they last gave their password.
    pub reauth_at: DateTime<Utc>,
    /// Their grants.
    pub grants: Json<Vec<Stored>>,
    /// All votes on the proposal.
    pub votes: Json<Vec<CastVote>>,
}

/// Holds user and session as they are. A statement of its own: one that waits for a lock still reads what was there
/// before the wait, and what was taken back meanwhile must be seen.
pub async fn hold_voter(conn: &mut PgConnection, user_id: Uuid, session_id: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "select from users u join sessions s on s.user_id = u.id where u.id = $1 and s.id = $2 for share of u, s",
        user_id,
        session_id,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Reads user, session, grants, votes and the clock in one statement; [`hold_voter`] comes first.
pub async fn voter(
    conn: &mut PgConnection,
    offset_us: i64,
    (user_id, session_id): (Uuid, Uuid),
    proposal_id: Uuid,
) -> sqlx::Result<Option<VoterRow>> {
    sqlx::query_as!(
        VoterRow,
        r#"with t as materialized (select clock_at($1) as now)
        select t.now as "now!", s.reauth_at,
            (u.disabled_at is null and s.revoked_at is null and s.idle_until > t.now and s.expires_at > t.now) as "alive!",
            (select coalesce(json_agg(g), '[]') from grants g where g.user_id = u.id and g.revoked_at is null)
                as "grants!: Json<Vec<Stored>>",
            (select coalesce(json_agg(json_build_object(
                    'user_id', v.user_id, 'outcome', v.outcome, 'digest', encode(v.digest, 'hex'),
                    'answers', v.answers, 'option', v.option)), '[]')
                from votes v where v.proposal_id = $4) as "votes!: Json<Vec<CastVote>>"
        from users u join sessions s on s.user_id = u.id cross join t
        where u.id = $2 and s.id = $3"#,
        offset_us,
        user_id,
        session_id,
        proposal_id,
    )
    .fetch_optional(conn)
    .await
}

/// One vote to write, and what it leads to.
#[derive(Debug)]
pub struct NewVote<'a> {
    /// The proposal.
    pub proposal_id: Uuid,
    /// The voter.
    pub user_id: Uuid,
    /// Their answer.
    pub ruling: &'a Ruling,
    /// The row of a dialog that it presses.
    pub option: Option<&'a DialogOption>,
    /// The status after it: still pending while votes are missing.
    pub status: Status,
    /// When.
    pub now: DateTime<Utc>,
    /// The journal's actor.
    pub actor: String,
    /// The journal's particulars.
    pub payload: Value,
}

/// Writes vote, decision, state, counter and journal row in one statement; the answer is the new version.
pub async fn vote(conn: &mut PgConnection, vote: NewVote<'_>) -> sqlx::Result<i32> {
    let ruling = vote.ruling;
    let closes = vote.status.is_final();
    let modified = ruling.outcome == Outcome::Modified;
    let body = ruling.body.as_deref().filter(|_| modified);
    let answers = ruling.answers.as_ref().map(|answers| serde_json::json!(answers));
    sqlx::query_scalar!(
        r#"with voted as (
            insert into votes (proposal_id, user_id, outcome, digest, note, body, answers, at, option)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $13)
            on conflict (proposal_id, user_id, round) do update set outcome = excluded.outcome, digest = excluded.digest,
                note = excluded.note, body = excluded.body, answers = excluded.answers, at = excluded.at,
                option = excluded.option
        ),
        decided as (
            insert into decisions (proposal_id, outcome, source, decided_by, note, body, body_digest, answers, decided_at, option)
            select $1, $3, 'person', $2, $5, $6, case when $6::text is not null then $4::bytea end, $7, $8, $14 where $9
        ),
        closed as (
            update proposals set version = version + 1, status = $10, closed_at = case when $9 then $8 end
            where id = $1 and status = 'pending'
            returning id, project_id, lane_id, agent_id, version
        ),
        counter as (
            update agents a set pending = greatest(a.pending - 1, 0) from closed where a.id = closed.agent_id and $9
        ),
        journal as (
            insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select project_id, lane_id, id, version,
                case when $9 then 'proposal.decided' else 'proposal.voted' end, $11, $12, $8
            from closed
        )
        select version as "version!" from closed"#,
        vote.proposal_id,
        vote.user_id,
        ruling.outcome.as_str(),
        &ruling.approved_digest().0[..],
        ruling.note,
        body,
        answers,
        vote.now,
        closes,
        vote.status.as_str(),
        vote.actor,
        vote.payload,
        ruling.option.and_then(|n| i32::try_from(n).ok()),
        vote.option.map(|option| serde_json::json!({ "n": option.n, "text": option.text })),
    )
    .fetch_one(conn)
    .await
}

/// A proposal closed without a decision.
#[derive(Debug)]
pub struct Close<'a> {
    /// The proposal; the transaction holds it.
    pub proposal_id: Uuid,
    /// `expired` or `withdrawn`.
    pub status: Status,
    /// Why, for `withdrawn`.
    pub reason: Option<&'a str>,
    /// When.
    pub now: DateTime<Utc>,
    /// The journal's actor.
    pub actor: String,
}

/// Writes state, counter and journal row in one statement; the answer is the new version.
pub async fn close(conn: &mut PgConnection, close: Close<'_>) -> sqlx::Result<i32> {
    sqlx::query_scalar!(
        r#"with closed as (
            update proposals set version = version + 1, status = $2, close_reason = $3, closed_at = $4
            where id = $1 and status = 'pending'
            returning id, project_id, lane_id, agent_id, version
        ),
        counter as (
            update agents a set pending = greatest(a.pending - 1, 0) from closed where a.id = closed.agent_id
        ),
        journal as (
            insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select project_id, lane_id, id, version, 'proposal.' || $2, $5, json_build_object('reason', $3::text), $4
            from closed
        )
        select version as "version!" from closed"#,
        close.proposal_id,
        close.status.as_str(),
        close.reason,
        close.now,
        close.actor,
    )
    .fetch_one(conn)
    .await
}

/// Pending proposals whose time is over, oldest first.
pub async fn due(conn: &mut PgConnection, offset_us: i64, limit: i64) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select id from proposals where status = 'pending' and expires_at <= clock_at($1) order by expires_at limit $2",
        offset_us,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Marks a closed proposal as done with; false when it was already.
pub async fn archive(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update proposals set archived_at = $2 where id = $1 and archived_at is null and status <> 'pending'",
        id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
