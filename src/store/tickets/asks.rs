//! Members' questions: each has one window, and one answer or none.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A question.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Its id, which is the turn that it holds open.
    pub id: Uuid,
    /// Its ticket.
    pub ticket_id: Uuid,
    /// What is asked.
    pub question: String,
    /// When.
    pub asked_at: DateTime<Utc>,
    /// Until when it can be answered.
    pub closes_at: DateTime<Utc>,
    /// The answer.
    pub answer: Option<String>,
    /// Nobody answered in time, or the turn was over first.
    pub closed_at: Option<DateTime<Utc>>,
}

impl Ask {
    /// It can be answered at `now`.
    pub fn is_open(&self, now: DateTime<Utc>) -> bool {
        self.answer.is_none() && self.closed_at.is_none() && now < self.closes_at
    }
}

/// One question.
pub async fn ask(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Ask>> {
    sqlx::query_as!(
        Ask,
        "select id, ticket_id, question, asked_at, closes_at, answer, closed_at from asks where id = $1",
        id,
    )
    .fetch_optional(conn)
    .await
}

/// The newest question of a ticket.
pub async fn newest_ask(conn: &mut PgConnection, ticket: Uuid) -> sqlx::Result<Option<Ask>> {
    sqlx::query_as!(
        Ask,
        "select id, ticket_id, question, asked_at, closes_at, answer, closed_at from asks
        where ticket_id = $1 order by asked_at desc, id desc limit 1",
        ticket,
    )
    .fetch_optional(conn)
    .await
}

/// Opens a question of a ticket that has no other open.
pub async fn open_ask(
    conn: &mut PgConnection,
    (id, ticket, question): (Uuid, Uuid, &str),
    (now, closes_at): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into asks (id, ticket_id, question, asked_at, closes_at) values ($1, $2, $3, $4, $5)",
        id,
        ticket,
        question,
        now,
        closes_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Answers a question that is open; false when it is not any more.
pub async fn answer(conn: &mut PgConnection, id: Uuid, text: &str, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update asks set answer = $2, answered_at = $3
        where id = $1 and answered_at is null and closed_at is null and closes_at > $3",
        id,
        text,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Closes a question whose window is over, for good: no answer can come in between.
pub async fn close_ask(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update asks set closed_at = $2 where id = $1 and answered_at is null and closed_at is null and closes_at <= $2",
        id,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Closes what is open of a ticket: its turn is over.
pub async fn close_asks_of(conn: &mut PgConnection, ticket: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "update asks set closed_at = $2 where ticket_id = $1 and answered_at is null and closed_at is null",
        ticket,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Closes every question whose window is over; their ids and tickets.
pub async fn close_overdue(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<Vec<(Uuid, Uuid)>> {
    let rows = sqlx::query!(
        "update asks set closed_at = $1
        where id in (
            select id from asks where answered_at is null and closed_at is null and closes_at <= $1
            order by id for update skip locked
        )
        returning id, ticket_id",
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.ticket_id)).collect())
}
