//! The counter of proposals in flight on each agent's row: finding one that is wrong, and setting it right.

use sqlx::PgConnection;
use uuid::Uuid;

/// Sets an agent's counter to what is really pending, under its lock; true when it was wrong.
pub async fn recount(conn: &mut PgConnection, agent_id: Uuid) -> sqlx::Result<bool> {
    sqlx::query!("select from agents where id = $1 for no key update", agent_id).execute(&mut *conn).await?;
    let done = sqlx::query!(
        "update agents a set pending = p.n
        from (select count(*)::int as n from proposals where agent_id = $1 and status = 'pending') p
        where a.id = $1 and a.pending <> p.n",
        agent_id,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Agents whose counter does not match, as it looks without locks.
pub async fn miscounted(conn: &mut PgConnection) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select a.id from agents a
        left join (select agent_id, count(*)::int as n from proposals where status = 'pending' group by 1) p on p.agent_id = a.id
        where a.pending <> coalesce(p.n, 0)"
    )
    .fetch_all(conn)
    .await
}
