//! Messages from leads to members, as rows. Whatever changes a ticket's life holds its pane's row first.

mod asks;
mod due;
mod lane;
mod seats;
mod write;

pub use asks::{Ask, answer, ask, close_ask, close_asks_of, close_overdue, newest_ask, open_ask};
pub use due::{Candidate, news_of, sweep, to_nudge, unsettled};
pub use lane::{InFlight, in_flight};
pub use seats::{Seat, is_known, seats_of_agent, seats_of_project};
pub use write::{NewTicket, acknowledge, insert, note_news, note_nudge, save};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::rendezvous::{PaneNow, Ticket};

/// The columns stand once.
macro_rules! ticket_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            Ticket,
            r#"select t.id, t.project_id, t.lane_id, l.name::text as "lane!", t.from_agent_id, a.name::text as "from_agent!",
                t.pane_client_id, t.pane_key, t.session_id, t.content, t.created_at, t.not_before, t.skips, t.order_id,
                t.sent_at, t.picked_up_at, t.idles, t.turn_ended_at, t.outcome, t.result, t.partial, t.reason, t.msg_id,
                t.finished_at, t.acked_at, t.polled_at
            from tickets t join lanes l on l.id = t.lane_id join agents a on a.id = t.from_agent_id "# + $tail,
            $($arg),*
        )
    };
}

/// One ticket.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Ticket>> {
    ticket_rows!("where t.id = $1", id).fetch_optional(conn).await
}

/// The ticket of an order.
pub async fn of_order(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<Option<Ticket>> {
    ticket_rows!("where t.order_id = $1", order).fetch_optional(conn).await
}

/// The ticket that has this outcome.
pub async fn of_message(conn: &mut PgConnection, agent: Uuid, msg_id: Uuid) -> sqlx::Result<Option<Ticket>> {
    ticket_rows!("where t.msg_id = $1 and t.from_agent_id = $2", msg_id, agent).fetch_optional(conn).await
}

/// What a pane still has to do with, in the order in which it takes it.
pub async fn live(conn: &mut PgConnection, client: Uuid, pane: &str) -> sqlx::Result<Vec<Ticket>> {
    ticket_rows!(
        "where t.pane_client_id = $1 and t.pane_key = $2
            and (t.finished_at is null or (t.order_id is not null and t.turn_ended_at is null))
        order by t.seq",
        client,
        pane,
    )
    .fetch_all(conn)
    .await
}

/// All that is under way anywhere.
pub async fn all_live(conn: &mut PgConnection) -> sqlx::Result<Vec<Ticket>> {
    ticket_rows!("where t.finished_at is null or (t.order_id is not null and t.turn_ended_at is null) order by t.seq",)
        .fetch_all(conn)
        .await
}

/// What a session was last told: the newest message that was typed, or that its client has taken to type.
pub async fn newest_of_session(
    conn: &mut PgConnection,
    (client, pane): (Uuid, &str),
    session: &str,
) -> sqlx::Result<Option<Ticket>> {
    ticket_rows!(
        "left join orders o on o.id = t.order_id
        where t.pane_client_id = $1 and t.pane_key = $2 and t.session_id = $3
            and (t.sent_at is not null or o.state = 'taken')
        order by t.seq desc limit 1",
        client,
        pane,
        session,
    )
    .fetch_optional(conn)
    .await
}

/// How many messages wait for a pane.
pub async fn queued(conn: &mut PgConnection, client: Uuid, pane: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "queued!" from tickets
        where pane_client_id = $1 and pane_key = $2 and finished_at is null and sent_at is null"#,
        client,
        pane,
    )
    .fetch_one(conn)
    .await
}

/// When its client took an order.
pub async fn order_taken_at(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<Option<DateTime<Utc>>> {
    let taken = sqlx::query_scalar!("select taken_at from orders where id = $1", order).fetch_optional(conn).await?;
    Ok(taken.flatten())
}

/// Takes a pane's row until the transaction ends, unless somebody has it who will do the same work.
pub async fn try_lock_pane(conn: &mut PgConnection, client: Uuid, key: &str) -> sqlx::Result<bool> {
    let row = sqlx::query!(
        "select 1 as one from panes where pane_client_id = $1 and key = $2 for no key update skip locked",
        client,
        key,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// Takes a pane's row until the transaction ends; false when there is none.
pub async fn lock_pane(conn: &mut PgConnection, client: Uuid, key: &str) -> sqlx::Result<bool> {
    let row = sqlx::query!(
        "select 1 as one from panes where pane_client_id = $1 and key = $2 for no key update",
        client,
        key,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.is_some())
}

/// A pane as the gate sees it.
pub async fn pane_now(conn: &mut PgConnection, client: Uuid, key: &str) -> sqlx::Result<Option<PaneNow>> {
    sqlx::query_as!(
        PaneNow,
        r#"select p.session_id, p.status, p.safe_to_type, p.usage_limit as "limit", p.reported_at,
            exists (
                select from dialogs d join proposals q on q.id = d.proposal_id
                where d.pane_client_id = p.pane_client_id and d.pane_key = p.key and d.ended_at is null
                    and q.created_at >= p.reported_at
            ) as "dialog_open!",
            exists (
                select from agents a where a.lane_id = p.lane_id and a.removed_at is null and a.mounted_at is not null
                    and (a.pane_key is null or a.pane_key = p.key)
            ) as "mounted!",
            exists (
                select from orders o where o.pane_client_id = p.pane_client_id and o.pane_key = p.key
                    and o.kind <> 'answer' and o.state <> 'done'
            ) as "other_text!",
            (
                select max(o.done_at) from orders o where o.pane_client_id = p.pane_client_id and o.pane_key = p.key
                    and o.kind <> 'answer' and o.outcome in ('sent', 'failed')
            ) as typed_at,
            exists (
                select from tickets t where t.pane_client_id = p.pane_client_id and t.pane_key = p.key
                    and t.order_id is not null and t.turn_ended_at is null
            ) as "turn_open!",
            exists (select from instance where paused_at is not null) as "paused!"
        from panes p where p.pane_client_id = $1 and p.key = $2"#,
        client,
        key,
    )
    .fetch_optional(conn)
    .await
}
