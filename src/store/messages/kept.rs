//! Mail is kept for a while: then its words go, wherever they stand but in the journal, and the record stays.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Takes the words of mail from before `before` away, and the texts of the orders that carried it. What nobody has read
/// yet waits on, and what is under way too.
pub async fn redact(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
    (limit, now): (i64, DateTime<Utc>),
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "with old as (
            select id, order_id from messages
            where created_at < $1 and redacted_at is null and state <> 'queued'
                and not exists (select from orders o where o.id = order_id and o.state <> 'done')
            order by created_at limit $2
            for update skip locked
        ), texts as (
            update orders set text = null, keys = null, late = null where kind = 'mail' and id in (select order_id from old)
        )
        update messages m set body = null, redacted_at = $3 from old where m.id = old.id",
        before,
        limit,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
