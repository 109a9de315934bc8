//! What a tick looks for: panes whose messages can move, leads that do not know their news, and what is old.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A pane whose messages may move.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Whose pane.
    pub pane_client_id: Uuid,
    /// The pane.
    pub pane_key: String,
}

/// Panes with a message that can be typed, that has waited too long, whose session is gone, or whose order ended without
/// its ticket. `fresh`, `mount` and `gone` are from when a report counts, a member had to have called, a pane is there.
pub async fn unsettled(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    (fresh, mount, gone): (DateTime<Utc>, DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<Vec<Candidate>> {
    sqlx::query_as!(
        Candidate,
        r#"select distinct t.pane_client_id, t.pane_key
        from tickets t
        join panes p on p.pane_client_id = t.pane_client_id and p.key = t.pane_key
        left join orders o on o.id = t.order_id
        where (t.finished_at is null or (t.order_id is not null and t.turn_ended_at is null))
            and (
                p.session_id is distinct from t.session_id or p.reported_at <= $4
                or (o.state = 'done' and t.sent_at is null)
                or (t.order_id is null and t.created_at <= $3 and not exists (
                    select from agents a where a.lane_id = p.lane_id and a.removed_at is null
                        and a.mounted_at is not null and (a.pane_key is null or a.pane_key = p.key)
                ))
                or (t.order_id is null and t.not_before <= $1 and p.status = 'idle' and p.safe_to_type
                    and p.reported_at >= $2 and not exists (
                        select from tickets s where s.pane_client_id = p.pane_client_id and s.pane_key = p.key
                            and s.order_id is not null and s.turn_ended_at is null
                    ))
            )
        order by t.pane_client_id, t.pane_key"#,
        now,
        fresh,
        mount,
        gone,
    )
    .fetch_all(conn)
    .await
}

/// Agents with a ticket whose news they have not had since `settled`, and that may be nudged again.
pub async fn to_nudge(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    limits: (DateTime<Utc>, DateTime<Utc>, i32),
) -> sqlx::Result<Vec<Uuid>> {
    let (settled, again, most) = limits;
    sqlx::query_scalar!(
        r#"select distinct t.from_agent_id
        from tickets t
        join agents a on a.id = t.from_agent_id and a.removed_at is null
        left join asks q on q.ticket_id = t.id and q.answered_at is null and q.closed_at is null and q.closes_at > $1
        where t.acked_at is null and t.nudges < $4 and (t.nudged_at is null or t.nudged_at <= $3)
            and coalesce(t.finished_at, q.asked_at) <= $2
            and (t.polled_at is null or t.polled_at < coalesce(t.finished_at, q.asked_at))"#,
        now,
        settled,
        again,
        most,
    )
    .fetch_all(conn)
    .await
}

/// The same tickets of one agent, oldest first, taken until the transaction ends.
pub async fn news_of(
    conn: &mut PgConnection,
    (agent, now): (Uuid, DateTime<Utc>),
    limits: (DateTime<Utc>, DateTime<Utc>, i32),
) -> sqlx::Result<Vec<Uuid>> {
    let (settled, again, most) = limits;
    sqlx::query_scalar!(
        r#"select t.id
        from tickets t
        left join asks q on q.ticket_id = t.id and q.answered_at is null and q.closed_at is null and q.closes_at > $1
        where t.from_agent_id = $5 and t.acked_at is null and t.nudges < $4
            and (t.nudged_at is null or t.nudged_at <= $3) and coalesce(t.finished_at, q.asked_at) <= $2
            and (t.polled_at is null or t.polled_at < coalesce(t.finished_at, q.asked_at))
        order by t.seq for no key update of t skip locked"#,
        now,
        settled,
        again,
        most,
        agent,
    )
    .fetch_all(conn)
    .await
}

/// Forgets tickets that were closed before, and what was typed for them; how many.
pub async fn sweep(conn: &mut PgConnection, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "delete from tickets where finished_at < $1 and (order_id is null or turn_ended_at is not null)",
        before,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update orders set text = null, keys = null, late = null
        where kind = 'message' and text is not null and done_at < $1 and not exists (select from tickets t where t.order_id = orders.id)",
        before,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
