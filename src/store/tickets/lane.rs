//! Who waits for whom, for the page of a lane.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A message that has no outcome yet. Its words are not here.
#[derive(Clone, Debug)]
pub struct InFlight {
    /// The ticket.
    pub id: Uuid,
    /// The lead that waits.
    pub from_agent: String,
    /// Its lane.
    pub from_lane: String,
    /// The member's lane.
    pub to_lane: String,
    /// The member's pane.
    pub pane: String,
    /// The member's session.
    pub session_id: String,
    /// `queued`, `ordered`, `delivered`, or `question`: then the member waits for the lead.
    pub state: String,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// When it was typed.
    pub sent_at: Option<DateTime<Utc>>,
    /// When the member began.
    pub picked_up_at: Option<DateTime<Utc>>,
    /// Until when the member's question can be answered.
    pub question_until: Option<DateTime<Utc>>,
}

/// Messages under way to a lane or from one, oldest first.
pub async fn in_flight(conn: &mut PgConnection, lane: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<InFlight>> {
    sqlx::query_as!(
        InFlight,
        r#"select t.id, a.name::text as "from_agent!", f.name::text as "from_lane!", l.name::text as "to_lane!",
            t.pane_key as pane, t.session_id,
            case when q.id is not null then 'question' when t.sent_at is not null then 'delivered'
                when t.order_id is not null then 'ordered' else 'queued' end as "state!",
            t.created_at, t.sent_at, t.picked_up_at, q.closes_at as "question_until?"
        from tickets t
        join agents a on a.id = t.from_agent_id
        join lanes f on f.id = a.lane_id
        join lanes l on l.id = t.lane_id
        left join asks q on q.ticket_id = t.id and q.answered_at is null and q.closed_at is null and q.closes_at > $2
        where t.finished_at is null and (t.lane_id = $1 or a.lane_id = $1) order by t.seq"#,
        lane,
        now,
    )
    .fetch_all(conn)
    .await
}
