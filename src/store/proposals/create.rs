//! Creating proposals, many in one statement: all of them with content, key, counter and journal row, or none.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::ask::Ask;
use crate::domain::digest::Digest;
use crate::domain::proposal::Requirement;
use crate::domain::risk::Risk;

/// The statement found no room under an agent's cap, or the agent, its lane or its token is gone.
pub const NO_ROOM: &str = "no_room";

/// A proposal that is ready to be written.
#[derive(Clone, Debug)]
pub struct NewProposal {
    /// Made before the first try, so that a retry can look for it.
    pub id: Uuid,
    /// The agent.
    pub agent_id: Uuid,
    /// The token it came with, which must still be good.
    pub token_id: Uuid,
    /// What is asked.
    pub ask: Ask,
    /// Its content's digest.
    pub digest: Digest,
    /// Its risk, frozen.
    pub risk: Risk,
    /// What approving takes, frozen.
    pub requirement: Requirement,
    /// The idempotency key with the request's hash.
    pub key: Option<(String, Digest)>,
    /// The journal row's particulars.
    pub payload: Value,
    /// How the journal names the agent.
    pub actor: String,
}

/// What stands in the way of writing a proposal as new, if anything.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The proposal that this idempotency key made.
    pub replay_id: Option<Uuid>,
    /// The hash of the request that made it.
    pub replay_hash: Option<Vec<u8>>,
    /// The pending proposal with the same content.
    pub joined_id: Option<Uuid>,
    /// That one's time is over, and nobody has closed it yet.
    pub joined_due: bool,
    /// How many more the agent may have in flight.
    pub room: i32,
    /// The token and the agent are still good.
    pub alive: bool,
}

/// Reads, for each of `new` in order, what stands in its way. The growing tables are read row by row (`lateral … limit`):
/// a plan made while they were small must not become a scan of millions.
pub async fn standings(conn: &mut PgConnection, offset_us: i64, new: &[&NewProposal]) -> sqlx::Result<Vec<Standing>> {
    let agents: Vec<Uuid> = new.iter().map(|n| n.agent_id).collect();
    let tokens: Vec<Uuid> = new.iter().map(|n| n.token_id).collect();
    let digests: Vec<Vec<u8>> = new.iter().map(|n| n.digest.0.to_vec()).collect();
    let keys: Vec<Option<String>> = new.iter().map(|n| n.key.as_ref().map(|(key, _)| key.clone())).collect();
    sqlx::query_as!(
        Standing,
        r#"select k.proposal_id as "replay_id?", k.request_hash as "replay_hash?", p.id as "joined_id?",
            coalesce(p.expires_at <= clock_at($1), false) as "joined_due!",
            coalesce(a.cap - a.pending, 0) as "room!",
            (a.id is not null and t.id is not null) as "alive!"
        from unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::text[]) with ordinality as i (agent, token, digest, key, n)
        left join agents a on a.id = i.agent and a.removed_at is null
        left join tokens t on t.id = i.token and t.revoked_at is null
            and (t.expires_at is null or t.expires_at > clock_at($1))
        left join lateral (
            select proposal_id, request_hash from idempotency_keys
            where agent_id = i.agent and key = i.key limit 1
        ) k on true
        left join lateral (
            select id, expires_at from proposals
            where agent_id = i.agent and digest = i.digest and status = 'pending' limit 1
        ) p on true
        order by i.n"#,
        offset_us,
        &agents,
        &tokens,
        &digests,
        &keys as &[Option<String>],
    )
    .fetch_all(conn)
    .await
}

/// A proposal as written.
#[derive(Clone, Debug)]
pub struct Created {
    /// Its id.
    pub id: Uuid,
    /// When, by the database's clock.
    pub created_at: DateTime<Utc>,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// The same agent asked the same before and was refused.
    pub previously_rejected: bool,
}

/// The columns of a batch, in the statement's order.
#[derive(Default)]
struct Columns {
    ids: Vec<Uuid>,
    agents: Vec<Uuid>,
    kinds: Vec<String>,
    actions: Vec<String>,
    risks: Vec<String>,
    titles: Vec<String>,
    commands: Vec<Option<String>>,
    digests: Vec<Vec<u8>>,
    lives: Vec<Option<i32>>,
    requirements: Vec<Json<Requirement>>,
    justifications: Vec<Option<String>>,
    bodies: Vec<Option<String>>,
    bases: Vec<Option<String>>,
    questions: Vec<Option<Value>>,
    keys: Vec<Option<String>>,
    hashes: Vec<Option<Vec<u8>>>,
    payloads: Vec<Value>,
    actors: Vec<String>,
    tokens: Vec<Uuid>,
}

impl Columns {
    fn push(&mut self, new: &NewProposal) {
        let ask = &new.ask;
        self.ids.push(new.id);
        self.agents.push(new.agent_id);
        self.kinds.push(ask.kind.as_str().to_owned());
        self.actions.push(ask.action.clone());
        self.risks.push(new.risk.as_str().to_owned());
        self.titles.push(ask.title.clone());
        self.commands.push(ask.command.clone());
        self.digests.push(new.digest.0.to_vec());
        self.lives.push(ask.expires_in.and_then(|secs| i32::try_from(secs).ok()));
        self.requirements.push(Json(new.requirement.clone()));
        self.justifications.push(ask.justification.clone());
        self.bodies.push(ask.body.clone());
        self.bases.push(ask.base.clone());
        let questions = (!ask.questions.is_empty()).then(|| serde_json::json!(ask.questions));
        self.questions.push(questions);
        self.keys.push(new.key.as_ref().map(|(key, _)| key.clone()));
        self.hashes.push(new.key.as_ref().map(|(_, hash)| hash.0.to_vec()));
        self.payloads.push(new.payload.clone());
        self.actors.push(new.actor.clone());
        self.tokens.push(new.token_id);
    }
}

/// Writes all of `new` or none. Agents are locked in the order of their ids, so that two batches cannot deadlock.
///
/// # Errors
/// A unique violation when one of them exists already, and SQLSTATE `CS001` with [`NO_ROOM`] when one has no room.
#[expect(clippy::too_many_lines, reason = "one statement, and the list of its parameters")]
pub async fn insert(conn: &mut PgConnection, offset_us: i64, new: &[&NewProposal]) -> sqlx::Result<Vec<Created>> {
    let mut columns = Columns::default();
    for one in new {
        columns.push(one);
    }
    sqlx::query_as!(
        Created,
        r#"with t as materialized (select clock_at($1) as now, current_epoch() as epoch),
        input as materialized (
            select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                $9::bytea[], $10::int[], $11::jsonb[], $12::text[], $13::text[], $14::text[], $15::json[], $16::text[],
                $17::bytea[], $18::json[], $19::text[], $21::uuid[])
            as i (id, agent_id, kind, action, risk, title, command, digest, life, requirement, justification, body, base,
                questions, key, hash, payload, actor, token_id)
        ),
        wanted as (select agent_id, count(*)::int as n from input group by agent_id),
        locked as materialized (
            select a.id, a.lane_id, l.project_id, w.n
            from agents a join wanted w on w.agent_id = a.id join lanes l on l.id = a.lane_id
            where a.removed_at is null and l.removed_at is null
            order by a.id for no key update of a
        ),
        room as (
            update agents a set pending = a.pending + k.n from locked k
            where a.id = k.id and a.pending + k.n <= a.cap returning a.id
        ),
        made as (
            insert into proposals (id, project_id, lane_id, agent_id, kind, action, risk, title, command, digest,
                created_at, expires_at, requirement, previously_rejected)
            select i.id, k.project_id, k.lane_id, i.agent_id, i.kind, i.action, i.risk, i.title, i.command, i.digest,
                t.now, t.now + i.life * interval '1 second', i.requirement,
                coalesce((select true from proposals r
                    where r.agent_id = i.agent_id and r.digest = i.digest and r.status = 'rejected' limit 1), false)
            from input i join locked k on k.id = i.agent_id cross join t
            where exists (select from tokens b where b.id = i.token_id and b.revoked_at is null)
            returning id, project_id, lane_id, created_at, expires_at, previously_rejected
        ),
        contents as (
            insert into proposal_content (proposal_id, justification, body, base, questions)
            select id, justification, body, base, questions from input
        ),
        keyed as (
            insert into idempotency_keys (agent_id, key, request_hash, proposal_id, created_at)
            select i.agent_id, i.key, i.hash, i.id, t.now from input i cross join t where i.key is not null
        ),
        journal as (
            insert into events (epoch, project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select t.epoch, m.project_id, m.lane_id, m.id, 1, 'proposal.created', i.actor, i.payload, t.now
            from made m join input i on i.id = m.id cross join t
        )
        select m.id as "id!", m.created_at as "created_at!", m.expires_at, m.previously_rejected as "previously_rejected!"
        from input i left join made m on m.id = i.id
        where abort_unless((select count(*) from room) = (select count(*) from wanted)
            and (select count(*) from made) = (select count(*) from input), $20)"#,
        offset_us,
        &columns.ids,
        &columns.agents,
        &columns.kinds,
        &columns.actions,
        &columns.risks,
        &columns.titles,
        &columns.commands as &[Option<String>],
        &columns.digests,
        &columns.lives as &[Option<i32>],
        &columns.requirements as &[Json<Requirement>],
        &columns.justifications as &[Option<String>],
        &columns.bodies as &[Option<String>],
        &columns.bases as &[Option<String>],
        &columns.questions as &[Option<Value>],
        &columns.keys as &[Option<String>],
        &columns.hashes as &[Option<Vec<u8>>],
        &columns.payloads,
        &columns.actors,
        NO_ROOM,
        &columns.tokens,
    )
    .fetch_all(conn)
    .await
}

/// Those of `ids` that exist: what a batch with an unknown outcome has written.
pub async fn existing(conn: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Created>> {
    sqlx::query_as!(
        Created,
        "select id, created_at, expires_at, previously_rejected from proposals where id = any($1)",
        ids,
    )
    .fetch_all(conn)
    .await
}

/// The ids of an agent's pending proposals, oldest first.
pub async fn pending_ids(conn: &mut PgConnection, agent_id: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("select id from proposals where agent_id = $1 and status = 'pending' order by id", agent_id)
        .fetch_all(conn)
        .await
}

/// Lets an idempotency key stand for a proposal that is there already; false when the key stands for one.
pub async fn remember_key(
    conn: &mut PgConnection,
    offset_us: i64,
    (agent_id, key): (Uuid, &str),
    hash: &Digest,
    proposal_id: Uuid,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "insert into idempotency_keys (agent_id, key, request_hash, proposal_id, created_at)
        values ($1, $2, $3, $4, clock_at($5)) on conflict do nothing",
        agent_id,
        key,
        &hash.0[..],
        proposal_id,
        offset_us,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
