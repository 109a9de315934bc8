//! Mail as rows: what waits in a lane, what was read, and how far its delivery is.

mod kept;
mod rounds;
mod settle;

pub use kept::redact;
pub use rounds::{Round, ensure, lock, save, take};
pub use settle::{
    Failed, Settled, carry, delivered_late, doubt_all, give_up, nudged, put_back, read, settled_groups, typed,
};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A message to store.
#[derive(Debug)]
pub struct NewMessage<'a> {
    /// Its id.
    pub id: Uuid,
    /// Project and lane that it goes to.
    pub place: (Uuid, Uuid),
    /// Who sends it, as the journal names them.
    pub sender: &'a str,
    /// The lane of an agent that sends it.
    pub from_lane: Option<Uuid>,
    /// The message that it answers.
    pub reply_to: Option<Uuid>,
    /// What it says.
    pub body: &'a str,
    /// When.
    pub now: DateTime<Utc>,
}

/// A message.
#[derive(Clone, Debug)]
pub struct MessageRow {
    /// Its id.
    pub id: Uuid,
    /// Who sent it, as the journal names them.
    pub sender: String,
    /// The lane of an agent that sent it.
    pub from_lane: Option<String>,
    /// The message that it answers.
    pub reply_to: Option<Uuid>,
    /// What it says; none once it is no longer kept.
    pub body: Option<String>,
    /// `queued`, `delivered`, `failed`.
    pub state: String,
    /// When it was sent.
    pub created_at: DateTime<Utc>,
    /// How often a delivery was tried.
    pub attempts: i32,
    /// It may stand in a terminal in full.
    pub maybe_typed: bool,
    /// When a line said that it is there.
    pub nudged_at: Option<DateTime<Utc>>,
    /// When an agent read it in its inbox.
    pub read_at: Option<DateTime<Utc>>,
    /// When it was delivered.
    pub delivered_at: Option<DateTime<Utc>>,
    /// `inbox` or `pane`.
    pub delivered_by: Option<String>,
    /// When it was given up.
    pub failed_at: Option<DateTime<Utc>>,
    /// What became of the last try.
    pub reason: Option<String>,
    /// An order for it is under way.
    pub ordered: bool,
}

/// The columns stand once.
macro_rules! message_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            crate::store::messages::MessageRow,
            r#"select m.id, m.sender, f.name::text as from_lane, m.reply_to, m.body, m.state, m.created_at, m.attempts, m.maybe_typed,
                m.nudged_at, m.read_at, m.delivered_at, m.delivered_by, m.failed_at, m.reason,
                exists (select from orders o where o.id = m.order_id and o.state <> 'done') as "ordered!"
            from messages m left join lanes f on f.id = m.from_lane_id "# + $tail,
            $($arg),*
        )
    };
}

/// Lets the mail of one sender be counted and stored one after another, until the transaction ends.
pub async fn lock_sender(conn: &mut PgConnection, sender: &str) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended($1, 7))", sender).execute(conn).await?;
    Ok(())
}

/// How many a sender has sent since then, and when the first of them was.
pub async fn sent_since(
    conn: &mut PgConnection,
    sender: &str,
    since: DateTime<Utc>,
) -> sqlx::Result<(i64, Option<DateTime<Utc>>)> {
    let row = sqlx::query!(
        r#"select count(*) as "count!", min(created_at) as first from messages where sender = $1 and created_at > $2"#,
        sender,
        since,
    )
    .fetch_one(conn)
    .await?;
    Ok((row.count, row.first))
}

/// A message with the same words from the same sender that nobody has read, and of which nothing was typed yet.
pub async fn same(
    conn: &mut PgConnection,
    lane: Uuid,
    (sender, body): (&str, &str),
) -> sqlx::Result<Option<MessageRow>> {
    message_rows!(
        "where m.lane_id = $1 and m.sender = $2 and m.body = $3 and m.state = 'queued' and m.attempts = 0
            and m.nudged_at is null and m.order_id is null
        order by m.id limit 1",
        lane,
        sender,
        body,
    )
    .fetch_optional(conn)
    .await
}

/// Stores a message.
pub async fn insert(conn: &mut PgConnection, new: &NewMessage<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into messages (id, project_id, lane_id, sender, from_lane_id, reply_to, body, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        new.id,
        new.place.0,
        new.place.1,
        new.sender,
        new.from_lane,
        new.reply_to,
        new.body,
        new.now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A message by its id.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<MessageRow>> {
    message_rows!("where m.id = $1", id).fetch_optional(conn).await
}

/// Whether a message went to a lane.
pub async fn went_to(conn: &mut PgConnection, id: Uuid, lane: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select exists (select from messages where id = $1 and lane_id = $2) as "there!""#, id, lane)
        .fetch_one(conn)
        .await
}

/// How many wait in a lane.
pub async fn queued(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from messages where lane_id = $1 and state = 'queued'"#, lane)
        .fetch_one(conn)
        .await
}

/// What is to be handed over in a lane and of which no line was typed, oldest first.
pub async fn waiting(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Vec<MessageRow>> {
    message_rows!("where m.lane_id = $1 and m.state = 'queued' and m.nudged_at is null order by m.id", lane)
        .fetch_all(conn)
        .await
}

/// What an order carries.
pub async fn of_order(conn: &mut PgConnection, order: Uuid) -> sqlx::Result<Vec<MessageRow>> {
    message_rows!("where m.order_id = $1 order by m.id", order).fetch_all(conn).await
}

/// Since when the oldest mail of a lane waits to be read; a line about it starts that anew.
pub async fn unread_since(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        "select min(coalesce(nudged_at, created_at)) from messages where lane_id = $1 and state = 'queued' and read_at is null",
        lane,
    )
    .fetch_one(conn)
    .await
}

/// The lanes in which mail waits to be read.
pub async fn unread_lanes(conn: &mut PgConnection) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("select distinct lane_id from messages where state = 'queued' and read_at is null")
        .fetch_all(conn)
        .await
}

/// A lane's mail for those who look at it: all that waits or has failed unread, and the newest of the rest; newest first.
pub async fn queue_of(conn: &mut PgConnection, lane: Uuid, limit: i64) -> sqlx::Result<Vec<MessageRow>> {
    message_rows!(
        "where m.lane_id = $1
        order by (m.state = 'queued' or (m.state = 'failed' and m.read_at is null)) desc, m.id desc limit $2",
        lane,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// What an agent of the lane is served: what came after a message if one is named; else what is unread, and what was read
/// since then, so that a lost answer loses nothing. Oldest first.
pub async fn inbox(
    conn: &mut PgConnection,
    lane: Uuid,
    (after, read_since): (Option<Uuid>, DateTime<Utc>),
    limit: i64,
) -> sqlx::Result<Vec<MessageRow>> {
    message_rows!(
        "where m.lane_id = $1 and m.body is not null
            and (m.id > $2 or ($2::uuid is null and (m.read_at is null or m.read_at > $3)))
        order by m.id limit $4",
        lane,
        after,
        read_since,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// A lane in which something is to be handed over.
#[derive(Clone, Debug)]
pub struct Addressee {
    /// The lane.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its project.
    pub project_id: Uuid,
}

/// The lanes in which something is to be handed over, and nothing is under way.
pub async fn addressees(conn: &mut PgConnection) -> sqlx::Result<Vec<Addressee>> {
    sqlx::query_as!(
        Addressee,
        r#"select l.id, l.name::text as "name!", l.project_id from lanes l
        where l.removed_at is null
            and exists (select from messages m where m.lane_id = l.id and m.state = 'queued' and m.nudged_at is null)
            and not exists (select from orders o where o.lane_id = l.id and o.trigger = 'mail' and o.kind <> 'answer'
                and o.state <> 'done')
        order by l.id"#,
    )
    .fetch_all(conn)
    .await
}
