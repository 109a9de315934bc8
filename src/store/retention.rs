//! Redaction: what is old and done with loses its content and keeps its record. Nothing of the journal is deleted.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::cursor::Cursor;

/// What stands for a title that was taken away.
pub const REDACTED_TITLE: &str = "redacted";

/// A proposal that may lose its content.
#[derive(Clone, Copy, Debug)]
pub struct Redactable {
    /// Its id.
    pub id: Uuid,
    /// When it was closed.
    pub closed_at: DateTime<Utc>,
}

/// Locks closed proposals that may lose their content: archived, or collected, in both cases closed before `before`.
/// Pending ones and those whose agent never saw the answer are never among them, nor any with a row not yet sealed.
/// A run continues `from` the last one's closing, so that it walks past the unseen once, however many have gathered.
pub async fn lock_redactable(
    conn: &mut PgConnection,
    (from, before): (DateTime<Utc>, DateTime<Utc>),
    sealed: Cursor,
    limit: i64,
) -> sqlx::Result<Vec<Redactable>> {
    sqlx::query_as!(
        Redactable,
        r#"select p.id, p.closed_at as "closed_at!" from proposals p
        where p.closed_at >= $6 and p.closed_at < $1 and p.redacted_at is null and p.status <> 'pending'
            and (p.archived_at is not null
                or exists (select from receipts r where r.proposal_id = p.id and r.collected_at is not null)
                or (p.kind = 'dialog' and not exists (select from orders o where o.proposal_id = p.id and o.state <> 'done')))
            and not exists (
                select from events e where e.proposal_id = p.id and (e.epoch, e.xid, e.id) > ($2, $3::text::xid8, $4)
            )
        order by p.closed_at limit $5
        for update of p skip locked"#,
        before,
        sealed.epoch,
        sealed.xid.to_string(),
        sealed.id,
        limit,
        from,
    )
    .fetch_all(conn)
    .await
}

/// Takes the content of proposals away, wherever it is kept but in the journal.
pub async fn redact_proposals(conn: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "with content as (
            update proposal_content set justification = null, body = null, base = null, questions = null,
                options = null, context = null, redacted_at = $2
            where proposal_id = any($1)
        ),
        ballots as (
            update votes set note = null, body = null, answers = null, evidence = null where proposal_id = any($1)
        ),
        outcomes as (
            -- Which option it was stays; what it said goes.
            update decisions set note = null, body = null, answers = null,
                option = case when option is not null then json_build_object('n', option->'n') end
            where proposal_id = any($1)
        ),
        seen as (
            -- What an approval left behind has been acted on; what was read off the screen goes.
            update dialogs set report = null, judgement = '{}', redacted_at = $2 where proposal_id = any($1)
        ),
        carried_out as (
            update orders set keys = null, late = null,
                option = case when option is not null then json_build_object('n', option->'n', 'text', $3::text) end
            where proposal_id = any($1)
        )
        update proposals set title = $3, command = null, close_reason = null, redacted_at = $2 where id = any($1)",
        ids,
        now,
        REDACTED_TITLE,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes the payloads of the proposals' sealed journal rows away; the answer is how many.
pub async fn redact_events_of(
    conn: &mut PgConnection,
    ids: &[Uuid],
    sealed: Cursor,
    now: DateTime<Utc>,
) -> sqlx::Result<u64> {
    // A receipt may have been written since the proposals were locked: it is not sealed yet, and tells no content.
    let done = sqlx::query!(
        "update events set payload = null, redacted_at = $5
        where proposal_id = any($1) and redacted_at is null and (epoch, xid, id) <= ($2, $3::text::xid8, $4)",
        ids,
        sealed.epoch,
        sealed.xid.to_string(),
        sealed.id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Takes the payloads of sealed rows away that belong to no proposal, or tell of a refusal, and are from before `before`.
/// What tells of redactions and restores stays: a verification needs it, and it names nobody's content.
pub async fn redact_events(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
    sealed: Cursor,
    (limit, now): (i64, DateTime<Utc>),
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "update events set payload = null, redacted_at = $6
        where id in (
            select id from events
            where at < $1 and redacted_at is null
                and (proposal_id is null or kind in ('decision.refused', 'access.refused'))
                and kind not in ('journal.redacted', 'instance.restored')
                and (epoch, xid, id) <= ($2, $3::text::xid8, $4)
            order by at limit $5
            for update skip locked
        )",
        before,
        sealed.epoch,
        sealed.xid.to_string(),
        sealed.id,
        limit,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Forgets idempotency keys from before `before` whose proposal is closed; the answer is how many.
pub async fn delete_keys(conn: &mut PgConnection, before: DateTime<Utc>, limit: i64) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "delete from idempotency_keys k using (
            select o.agent_id, o.key from idempotency_keys o join proposals p on p.id = o.proposal_id
            where o.created_at < $1 and p.status <> 'pending'
            order by o.created_at limit $2
            for update of o skip locked
        ) old
        where k.agent_id = old.agent_id and k.key = old.key",
        before,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
