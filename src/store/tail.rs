//! Reading the journal in the order in which it can be read without ever missing a row.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::JsonValue;
use uuid::Uuid;

/// A journal row as the tail reads it.
#[derive(Clone, Debug)]
pub struct TailRow {
    /// The epoch it was written in.
    pub epoch: i32,
    /// The transaction that wrote it, in decimal.
    pub xid: String,
    /// Its id.
    pub id: i64,
    /// Its project.
    pub project_id: Option<Uuid>,
    /// Its lane.
    pub lane_id: Option<Uuid>,
    /// Its lane's name.
    pub lane: Option<String>,
    /// The proposal it is about.
    pub proposal_id: Option<Uuid>,
    /// That proposal's version after it.
    pub version: Option<i32>,
    /// What happened.
    pub kind: String,
    /// The particulars; none once redacted.
    pub payload: Option<JsonValue>,
    /// When.
    pub at: DateTime<Utc>,
    /// The proposal's class or kind.
    pub class: Option<String>,
    /// The proposal's risk.
    pub risk: Option<String>,
    /// The agent that asked.
    pub agent_id: Option<Uuid>,
    /// The pane client that reported it.
    pub pane_client_id: Option<Uuid>,
}

/// Rows behind a cursor, in the order (epoch, xid, id), of transactions that can no longer be overtaken by an older one
/// (design, section 4). Bounded by `limit`.
///
/// What holds for the whole statement is asked once (`select …` in brackets), and proposals are looked up row by row
/// (`lateral … limit`): a plan made while the journal was small must not become a scan of millions.
pub async fn behind(
    conn: &mut PgConnection,
    (epoch, xid, id): (i32, &str, i64),
    limit: i64,
) -> sqlx::Result<Vec<TailRow>> {
    sqlx::query_as!(
        TailRow,
        r#"select e.epoch as "epoch!", e.xid::text as "xid!", e.id as "id!", e.project_id, e.lane_id, l.name::text as "lane?",
            e.proposal_id, e.version, e.kind as "kind!", e.payload, e.at as "at!", coalesce(p.class, p.kind) as class,
            p.risk as "risk?", p.agent_id as "agent_id?", p.pane_client_id as "pane_client_id?"
        from (
            select * from events
            where (epoch, xid, id) > ($1, $2::text::xid8, $3)
                and (epoch < (select current_epoch()) or xid < (select pg_snapshot_xmin(pg_current_snapshot())))
            order by epoch, xid, id limit $4
        ) e
        left join lanes l on l.id = e.lane_id
        left join lateral (select kind, class, risk, agent_id, pane_client_id from proposals where id = e.proposal_id limit 1) p on true
        order by e.epoch, e.xid, e.id"#,
        epoch,
        xid,
        id,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Where a tail that wants only what is to come begins: behind everything that can be read now.
#[derive(Clone, Debug)]
pub struct End {
    /// The current epoch.
    pub epoch: i32,
    /// The transaction of the last row, in decimal; `0` when there is none.
    pub xid: String,
    /// The last row's id.
    pub id: i64,
}

/// The end of what can be read now.
pub async fn end(conn: &mut PgConnection) -> sqlx::Result<End> {
    sqlx::query_as!(
        End,
        r#"select current_epoch() as "epoch!", coalesce(e.xid::text, '0') as "xid!", coalesce(e.id, 0) as "id!"
        from (select 1) one left join lateral (
            select xid, id from events
            where epoch = current_epoch() and xid < pg_snapshot_xmin(pg_current_snapshot())
            order by xid desc, id desc limit 1
        ) e on true"#
    )
    .fetch_one(conn)
    .await
}

/// How old the oldest row is that the tail may not read yet; none when it may read all.
pub async fn lag_seconds(conn: &mut PgConnection) -> sqlx::Result<Option<f64>> {
    sqlx::query_scalar!(
        "select extract(epoch from clock_timestamp() - min(at))::float8 from events
        where epoch = current_epoch() and xid >= pg_snapshot_xmin(pg_current_snapshot())"
    )
    .fetch_one(conn)
    .await
}

/// Rings the bell for other replicas: a notification without payload, on a connection of its own.
pub async fn ring(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select pg_notify('countersign', '')").execute(conn).await?;
    Ok(())
}
