//! Receipts: what happened to a proposal on its way, written after the answer. A crash may lose one, never a decision.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Which step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The first hint went to the socket of somebody who may decide.
    Notified,
    /// The first such person opened it.
    Seen,
    /// The agent had the final answer.
    Collected,
}

impl Step {
    /// Every step.
    pub const ALL: &[Self] = &[Self::Notified, Self::Seen, Self::Collected];

    /// The word in metrics and, behind `proposal.`, in the journal.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notified => "notified",
            Self::Seen => "seen",
            Self::Collected => "collected",
        }
    }
}

/// Receipts are worth less than an fsync each.
pub async fn relax_commit(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("set local synchronous_commit to off").execute(conn).await?;
    Ok(())
}

/// Writes the first receipt of one step for each proposal, with its journal row; the answer is how
/// many seconds after the asking each first one came.
pub async fn record(
    conn: &mut PgConnection,
    offset_us: i64,
    step: Step,
    (proposals, actors): (&[Uuid], &[String]),
) -> sqlx::Result<Vec<f64>> {
    sqlx::query_scalar!(
        r#"with t as materialized (select clock_at($1) as now),
        input as (select * from unnest($2::uuid[], $3::text[]) as i (id, actor)),
        first as (
            insert into receipts as r (proposal_id, notified_at, seen_at, collected_at)
            select i.id, case when $4 = 'notified' then t.now end, case when $4 = 'seen' then t.now end,
                case when $4 = 'collected' then t.now end
            from input i cross join t
            on conflict (proposal_id) do update set
                notified_at = coalesce(r.notified_at, excluded.notified_at),
                seen_at = coalesce(r.seen_at, excluded.seen_at),
                collected_at = coalesce(r.collected_at, excluded.collected_at)
            where case $4 when 'notified' then r.notified_at when 'seen' then r.seen_at else r.collected_at end is null
            returning proposal_id
        ),
        journal as (
            insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select p.project_id, p.lane_id, p.id, p.version, 'proposal.' || $4, i.actor, '{}', t.now
            from first f join input i on i.id = f.proposal_id join proposals p on p.id = f.proposal_id cross join t
        )
        select extract(epoch from t.now - p.created_at)::float8 as "age!"
        from first f join proposals p on p.id = f.proposal_id cross join t"#,
        offset_us,
        proposals,
        actors,
        step.as_str(),
    )
    .fetch_all(conn)
    .await
}

/// Notes what became of a dialog's order; the newest word stands.
pub async fn executed(conn: &mut PgConnection, proposal: Uuid, word: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into receipts (proposal_id, executed, executed_at) values ($1, $2, $3)
        on conflict (proposal_id) do update set executed = excluded.executed, executed_at = excluded.executed_at",
        proposal,
        word,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
