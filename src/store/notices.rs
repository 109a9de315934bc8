//! The desk from which notices go out: what was read of the journal for it, what waits to be told, and how it went.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::tail;

/// How many rows of the journal are read at a time.
const ROWS: i64 = 5_000;

/// The desk, held by whoever works at it until the transaction ends.
#[derive(Debug)]
pub struct Desk {
    epoch: i32,
    xid: String,
    event_id: i64,
    /// The secret of whom the notices go to.
    pub token: Option<String>,
}

/// Takes the desk; none while another server has it, or before it is time.
pub async fn take(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<Option<Desk>> {
    sqlx::query_as!(
        Desk,
        r#"select epoch, xid::text as "xid!", event_id, token from notice_desk where next_at <= $1 for update skip locked"#,
        now,
    )
    .fetch_optional(conn)
    .await
}

/// Reads on in the journal and notes what is to be told; what happened before the desk was opened is not.
pub async fn gather(conn: &mut PgConnection, desk: &Desk) -> sqlx::Result<()> {
    sqlx::query!(
        "with fresh as materialized (
            select e.epoch, e.xid, e.id, e.kind, e.lane_id, e.proposal_id, e.at,
                case when e.kind = 'needs_you.raised' then (e.payload->>'attention_id')::uuid end as attention_id
            from events e
            where (epoch, xid, id) > ($1, $2::text::xid8, $3)
                and (epoch < (select current_epoch()) or xid < (select pg_snapshot_xmin(pg_current_snapshot())))
            order by epoch, xid, id limit $4
        ),
        noted as (
            insert into notices (event_id, need, lane_id, proposal_id, at)
            select f.id, p.kind, f.lane_id, p.id, f.at from fresh f join proposals p on p.id = f.proposal_id
            where f.kind = 'proposal.created' and p.kind <> 'dialog' and p.status = 'pending'
            on conflict do nothing
        ),
        needed as (
            insert into notices (event_id, need, lane_id, proposal_id, attention_id, at)
            select f.id, a.cause, a.lane_id, a.proposal_id, a.id, f.at
            from fresh f join attentions a on a.id = f.attention_id
            where a.cleared_at is null
            on conflict do nothing
        )
        update notice_desk d set epoch = last.epoch, xid = last.xid, event_id = last.id
        from (select epoch, xid, id from fresh order by epoch desc, xid desc, id desc limit 1) last",
        desk.epoch,
        desk.xid,
        desk.event_id,
        ROWS,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Something to tell.
#[derive(Debug)]
pub struct Due {
    /// The journal row it comes from.
    pub event_id: i64,
    /// `change`, `question`, or a cause.
    pub need: String,
    /// The lane's name.
    pub lane: String,
    /// The proposal it is about.
    pub proposal_id: Option<Uuid>,
    /// Since when.
    pub at: DateTime<Utc>,
}

/// What still waits, oldest first; what does not any more is forgotten.
pub async fn due(conn: &mut PgConnection) -> sqlx::Result<Vec<Due>> {
    sqlx::query!(
        "delete from notices n where not exists (select from proposals p
                where n.attention_id is null and p.id = n.proposal_id and p.status = 'pending')
            and not exists (select from attentions a where a.id = n.attention_id and a.cleared_at is null)"
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_as!(
        Due,
        r#"select n.event_id, n.need, l.name::text as "lane!", n.proposal_id, n.at
        from notices n join lanes l on l.id = n.lane_id order by n.event_id"#,
    )
    .fetch_all(conn)
    .await
}

/// Keeps everybody from the desk until then.
pub async fn close_until(conn: &mut PgConnection, until: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update notice_desk set next_at = $1", until).execute(conn).await?;
    Ok(())
}

/// They were told.
pub async fn sent(conn: &mut PgConnection, told: &[i64], now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("delete from notices where event_id = any($1)", told).execute(&mut *conn).await?;
    sqlx::query!("update notice_desk set sent_at = $1", now).execute(conn).await?;
    Ok(())
}

/// They were not, and are forgotten once that has happened so many times; how often the others were tried at most, and how
/// many were forgotten.
pub async fn failed(
    conn: &mut PgConnection,
    (untold, most): (&[i64], i32),
    (why, now): (&str, DateTime<Utc>),
) -> sqlx::Result<(i32, i64)> {
    sqlx::query!("update notice_desk set failed_at = $1, failure = $2", now, why).execute(&mut *conn).await?;
    let row = sqlx::query!(
        r#"with over as (
            delete from notices where event_id = any($1) and tries + 1 >= $2 returning event_id
        ),
        again as (
            update notices set tries = tries + 1 where event_id = any($1) and tries + 1 < $2 returning tries
        )
        select coalesce((select max(tries) from again), 0) as "tries!", (select count(*) from over) as "over!""#,
        untold,
        most,
    )
    .fetch_one(conn)
    .await?;
    Ok((row.tries, row.over))
}

/// Opens the desk: from here on what happens is told.
pub async fn open(conn: &mut PgConnection) -> sqlx::Result<()> {
    let end = tail::end(conn).await?;
    sqlx::query!("delete from notices").execute(&mut *conn).await?;
    sqlx::query!(
        "update notice_desk set epoch = $1, xid = $2::text::xid8, event_id = $3, next_at = '-infinity', sent_at = null,
            failed_at = null, failure = null",
        end.epoch,
        end.xid,
        end.id,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets or takes away the secret.
pub async fn set_token(conn: &mut PgConnection, token: Option<&str>) -> sqlx::Result<()> {
    sqlx::query!("update notice_desk set token = $1", token).execute(conn).await?;
    Ok(())
}

/// How the desk stands, for whoever checks it.
#[derive(Debug)]
pub struct Standing {
    /// There is a secret.
    pub has_token: bool,
    /// When a notice went out last.
    pub sent_at: Option<DateTime<Utc>>,
    /// When one did not.
    pub failed_at: Option<DateTime<Utc>>,
    /// Why.
    pub failure: Option<String>,
    /// How many things wait to be told.
    pub waiting: i64,
}

/// How the desk stands.
pub async fn standing(conn: &mut PgConnection) -> sqlx::Result<Standing> {
    sqlx::query_as!(
        Standing,
        r#"select token is not null as "has_token!", sent_at, failed_at, failure,
            (select count(*) from notices) as "waiting!" from notice_desk"#
    )
    .fetch_one(conn)
    .await
}

/// The secret alone, for a notice that is sent by hand.
pub async fn token(conn: &mut PgConnection) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("select token from notice_desk").fetch_one(conn).await
}
