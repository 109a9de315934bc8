//! Orders as rows: finding, taking and finishing them. Exactly one is live for a dialog at a time, by a unique index.

mod create;
mod finish;

pub use create::{NewAnswer, NewText, insert_answer, insert_text};
pub use finish::{finish, note_late, take, try_lock_queued};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::{Json, JsonValue};
use uuid::Uuid;

use crate::domain::dialog::DialogOption;

/// An order.
#[derive(Clone, Debug)]
pub struct OrderRow {
    /// Its id.
    pub id: Uuid,
    /// `answer`, `nudge`, `mail`, `message`.
    pub kind: String,
    /// `dialog`, `mail`, `stall`, `manual_nudge`, `legacy_rule`, `message`.
    pub trigger: String,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// Whose it is.
    pub pane_client_id: Uuid,
    /// The pane.
    pub pane_key: String,
    /// The dialog it answers.
    pub proposal_id: Option<Uuid>,
    /// Which try it is.
    pub attempt: i32,
    /// The dialog's instance.
    pub instance: Option<Uuid>,
    /// The dialog's digest.
    pub digest: Option<Vec<u8>>,
    /// The row to press.
    pub option: Option<Json<DialogOption>>,
    /// It refuses.
    pub deny: bool,
    /// The text to type.
    pub text: Option<String>,
    /// The messages that it carries.
    pub msg_ids: Option<JsonValue>,
    /// The session that a message between agents is for.
    pub session_id: Option<String>,
    /// What the audit says was decided.
    pub decision: String,
    /// Made by the policy: judged again when it is leased.
    pub by_policy: bool,
    /// Why.
    pub policy_source: Option<String>,
    /// Under which policy.
    pub policy_version: Option<i64>,
    /// Who ordered it, as the journal names them.
    pub ordered_by: String,
    /// `queued`, `taken`, `done`.
    pub state: String,
    /// When it may be taken.
    pub not_before: DateTime<Utc>,
    /// Until when it is its client's alone.
    pub leased_until: Option<DateTime<Utc>>,
    /// When it was done with.
    pub done_at: Option<DateTime<Utc>>,
    /// What became of it.
    pub outcome: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// The keys that were sent.
    pub keys: Option<Json<Vec<String>>>,
    /// What was reported after the lease ran out.
    pub late: Option<JsonValue>,
}

/// The columns stand once; whoever uses it has `Json` and `DialogOption` in scope.
macro_rules! order_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            OrderRow,
            r#"select o.id, o.kind, o.trigger, o.project_id, o.lane_id, l.name::text as "lane!", o.pane_client_id, o.pane_key,
                o.proposal_id, o.attempt, o.instance, o.digest, o.option as "option: Json<DialogOption>", o.deny, o.text,
                o.msg_ids, (select t.session_id from tickets t where t.order_id = o.id) as session_id, o.decision, o.by_policy, o.policy_source, o.policy_version, o.ordered_by, o.state, o.not_before,
                o.leased_until, o.done_at, o.outcome, o.reason, o.keys as "keys: Json<Vec<String>>", o.late
            from orders o join lanes l on l.id = o.lane_id "# + $tail,
            $($arg),*
        )
    };
}

/// One order.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<OrderRow>> {
    order_rows!("where o.id = $1", id).fetch_optional(conn).await
}

/// One order, held until the transaction ends. Its proposal comes first.
pub async fn lock(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<OrderRow>> {
    order_rows!("where o.id = $1 for no key update of o", id).fetch_optional(conn).await
}

/// The newest order of a dialog.
pub async fn newest_of(conn: &mut PgConnection, proposal: Uuid) -> sqlx::Result<Option<OrderRow>> {
    order_rows!("where o.proposal_id = $1 order by o.attempt desc limit 1", proposal).fetch_optional(conn).await
}

/// A client's orders that it has taken and not reported, oldest first.
pub async fn taken(conn: &mut PgConnection, client: Uuid) -> sqlx::Result<Vec<OrderRow>> {
    order_rows!("where o.pane_client_id = $1 and o.state = 'taken' order by o.id", client).fetch_all(conn).await
}

/// A client's orders that may be taken at `now`, oldest first. While everything is paused only people's decisions are
/// among them.
pub async fn waiting(
    conn: &mut PgConnection,
    (client, paused): (Uuid, bool),
    (now, limit): (DateTime<Utc>, i64),
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select id from orders
        where pane_client_id = $1 and state = 'queued' and not_before <= $2
            and (not $3 or (kind = 'answer' and not by_policy))
        order by id limit $4",
        client,
        now,
        paused,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Orders whose lease has run out, oldest first; of one client, or of all.
pub async fn overdue(
    conn: &mut PgConnection,
    client: Option<Uuid>,
    (now, limit): (DateTime<Utc>, i64),
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select id from orders
        where state = 'taken' and leased_until <= $1 and ($2::uuid is null or pane_client_id = $2)
        order by leased_until limit $3",
        now,
        client,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Everything that is not done with, of one client or of all, in one order.
pub async fn open(conn: &mut PgConnection, client: Option<Uuid>) -> sqlx::Result<Vec<OrderRow>> {
    order_rows!("where o.state <> 'done' and ($1::uuid is null or o.pane_client_id = $1) order by o.id", client)
        .fetch_all(conn)
        .await
}

/// A nudge with these words to a pane that its client has not taken yet.
pub async fn waiting_nudge(
    conn: &mut PgConnection,
    (client, pane): (Uuid, &str),
    text: &str,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "select id from orders
        where pane_client_id = $1 and pane_key = $2 and kind = 'nudge' and trigger = 'manual_nudge' and state = 'queued'
            and text = $3
        order by id limit 1",
        client,
        pane,
        text,
    )
    .fetch_optional(conn)
    .await
}
