//! Panes as they look to whoever is to type there: how they stand, and what is under way.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::pane::{PaneState, PaneStatus};

/// A pane.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
pub struct Typing {
    /// Whose.
    pub client: Uuid,
    /// Its key.
    pub key: String,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// The agent kind.
    pub agent_kind: String,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The status, as reported.
    pub status: String,
    /// The last report is not older than it may be.
    pub fresh: bool,
    /// Text may be typed.
    pub safe_to_type: bool,
    /// The agent has ended its turn.
    pub ended_turn: bool,
    /// The provider's limit is on the screen.
    pub usage_limit: bool,
    /// Its client does not type there.
    pub external: bool,
    /// Since when the screen is unchanged, by its client's clock.
    pub quiet_since: Option<DateTime<Utc>>,
    /// When the agent last did something, by its client's clock.
    pub last_activity_at: Option<DateTime<Utc>>,
    /// When it was last reported at work or in a dialog.
    pub worked_at: Option<DateTime<Utc>>,
    /// When its screen was last reported to have changed.
    pub moved_at: Option<DateTime<Utc>>,
}

impl Typing {
    /// What counts of it.
    pub fn state(&self) -> PaneState {
        PaneState {
            status: PaneStatus::read(&self.status),
            fresh: self.fresh,
            safe_to_type: self.safe_to_type,
            ended_turn: self.ended_turn,
            limit: self.usage_limit,
            external: self.external,
        }
    }
}

/// The columns stand once.
macro_rules! typing_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            Typing,
            r#"select p.pane_client_id as client, p.key, p.project_id, p.lane_id, l.name::text as "lane!", p.agent_kind, p.session_id,
                p.status, (p.reported_at >= $1) as "fresh!", p.safe_to_type, p.ended_turn, p.usage_limit, p.external,
                p.quiet_since, p.last_activity_at, p.worked_at, p.moved_at
            from panes p join lanes l on l.id = p.lane_id and l.removed_at is null
            join pane_clients c on c.id = p.pane_client_id and c.removed_at is null "# + $tail,
            $($arg),*
        )
    };
}

/// The panes of a lane, by key; what was last reported before `fresh` is not fresh.
pub async fn of_lane(conn: &mut PgConnection, lane: Uuid, fresh: DateTime<Utc>) -> sqlx::Result<Vec<Typing>> {
    typing_rows!("where p.lane_id = $2 order by p.key, p.pane_client_id", fresh, lane).fetch_all(conn).await
}

/// All fresh panes.
pub async fn fresh(conn: &mut PgConnection, fresh: DateTime<Utc>) -> sqlx::Result<Vec<Typing>> {
    typing_rows!("where p.reported_at >= $1 order by p.pane_client_id, p.key", fresh).fetch_all(conn).await
}

/// One pane, held until the transaction ends; none while somebody else holds it.
pub async fn take(
    conn: &mut PgConnection,
    (client, key): (Uuid, &str),
    fresh: DateTime<Utc>,
) -> sqlx::Result<Option<Typing>> {
    typing_rows!("where p.pane_client_id = $2 and p.key = $3 for update of p skip locked", fresh, client, key)
        .fetch_optional(conn)
        .await
}

/// Whether a text is under way to a pane.
pub async fn is_under_way(conn: &mut PgConnection, (client, key): (Uuid, &str)) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
            select from orders where pane_client_id = $1 and pane_key = $2 and kind <> 'answer' and state <> 'done'
        ) as "live!""#,
        client,
        key,
    )
    .fetch_one(conn)
    .await
}

/// Whether a lane's mail is under way to a pane.
pub async fn is_mail_under_way(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
            select from orders where lane_id = $1 and trigger = 'mail' and kind <> 'answer' and state <> 'done'
        ) as "live!""#,
        lane,
    )
    .fetch_one(conn)
    .await
}

/// Whether this text was typed into a pane after `since`.
pub async fn was_typed(
    conn: &mut PgConnection,
    (client, key): (Uuid, &str),
    text: &str,
    since: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
            select from orders where pane_client_id = $1 and pane_key = $2 and kind <> 'answer' and outcome = 'sent'
                and done_at > $4 and text = $3
        ) as "typed!""#,
        client,
        key,
        text,
        since,
    )
    .fetch_one(conn)
    .await
}

/// Whether a pane of a lane was reported since `fresh`, by a client that is in use.
pub async fn is_watched(
    conn: &mut PgConnection,
    (client, key): (Uuid, &str),
    lane: Uuid,
    fresh: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let found = of_lane(conn, lane, fresh).await?;
    Ok(found.iter().any(|pane| pane.client == client && pane.key == key && pane.fresh))
}

/// Texts of mail and stalls that wait for a client which has reported their pane before `fresh`, or not at all.
pub async fn stranded(conn: &mut PgConnection, fresh: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select o.id from orders o
        where o.kind <> 'answer' and o.trigger in ('mail', 'stall') and o.state = 'queued'
            and not exists (select from panes p join pane_clients c on c.id = p.pane_client_id and c.removed_at is null
                where p.pane_client_id = o.pane_client_id and p.key = o.pane_key and p.lane_id = o.lane_id
                    and p.reported_at >= $1)
        order by o.id",
        fresh,
    )
    .fetch_all(conn)
    .await
}
