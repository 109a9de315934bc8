//! Panes as their clients last reported them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::JsonValue;
use uuid::Uuid;

/// A report to store.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct NewPane<'a> {
    /// Whose.
    pub pane_client_id: Uuid,
    /// Its key.
    pub key: &'a str,
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// The agent kind.
    pub agent_kind: &'a str,
    /// The agent's session.
    pub session_id: Option<&'a str>,
    /// `idle`, `working`, `blocked`, `unknown`.
    pub status: &'a str,
    /// Text may be typed.
    pub safe_to_type: bool,
    /// It asks something in plain words.
    pub awaiting_input: bool,
    /// The agent has ended its turn.
    pub ended_turn: bool,
    /// The provider's limit is on the screen.
    pub limit: bool,
    /// Watched only.
    pub external: bool,
    /// Since when the screen is unchanged.
    pub quiet_since: Option<DateTime<Utc>>,
    /// When the agent last did something.
    pub last_activity_at: Option<DateTime<Utc>>,
    /// What the turn ended with.
    pub turn_tail: Option<JsonValue>,
    /// What looks like a menu that no rule knows.
    pub drift: Option<&'a str>,
    /// The client itself.
    pub client: Option<JsonValue>,
    /// When.
    pub now: DateTime<Utc>,
}

/// What somebody who watches panes is told when it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The status.
    pub status: String,
    /// It asks something in plain words.
    pub awaiting_input: bool,
    /// The provider's limit is on the screen.
    pub limit: bool,
    /// The lane.
    pub lane_id: Uuid,
}

/// What looks like a menu that no rule knows.
#[derive(Clone, Debug)]
pub struct Drift {
    /// Its words.
    pub text: String,
    /// Since when the pane shows it.
    pub since: DateTime<Utc>,
    /// The pane's project.
    pub project_id: Uuid,
    /// The pane's lane.
    pub lane_id: Uuid,
}

/// What a pane stood at, and the menu it showed; locked until the transaction ends.
pub async fn lock(conn: &mut PgConnection, client: Uuid, key: &str) -> sqlx::Result<Option<(Standing, Option<Drift>)>> {
    let row = sqlx::query!(
        "select status, awaiting_input, usage_limit, project_id, lane_id, drift, drift_since from panes
        where pane_client_id = $1 and key = $2 for update",
        client,
        key,
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| {
        let drift = drift((row.drift, row.drift_since), (row.project_id, row.lane_id));
        let limit = row.usage_limit;
        (Standing { status: row.status, awaiting_input: row.awaiting_input, limit, lane_id: row.lane_id }, drift)
    }))
}

fn drift((text, since): (Option<String>, Option<DateTime<Utc>>), (project_id, lane_id): (Uuid, Uuid)) -> Option<Drift> {
    let (text, since) = text.zip(since)?;
    Some(Drift { text, since, project_id, lane_id })
}

/// The unknown menus that a client's panes show, by the pane's key.
pub async fn drifts(conn: &mut PgConnection, client: Uuid) -> sqlx::Result<Vec<(String, Drift)>> {
    let rows = sqlx::query!(
        "select key, project_id, lane_id, drift, drift_since from panes
        where pane_client_id = $1 and drift is not null order by key for update",
        client,
    )
    .fetch_all(conn)
    .await?;
    let shown = rows.into_iter().filter_map(|row| {
        let drift = drift((row.drift, row.drift_since), (row.project_id, row.lane_id))?;
        Some((row.key, drift))
    });
    Ok(shown.collect())
}

/// Stores a report. A turn's tail stays until the next one comes.
pub async fn put(conn: &mut PgConnection, pane: &NewPane<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into panes as p (pane_client_id, key, project_id, lane_id, agent_kind, session_id, status, safe_to_type,
            awaiting_input, ended_turn, usage_limit, external, quiet_since, last_activity_at, turn_tail, client, status_since,
            reported_at, drift, drift_since, worked_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $18,
            case when $18::text is not null then $17::timestamptz end,
            case when $7::text in ('working', 'blocked') then $17::timestamptz end)
        on conflict (pane_client_id, key) do update set project_id = excluded.project_id, lane_id = excluded.lane_id,
            agent_kind = excluded.agent_kind, session_id = excluded.session_id, status = excluded.status,
            safe_to_type = excluded.safe_to_type, awaiting_input = excluded.awaiting_input, ended_turn = excluded.ended_turn,
            usage_limit = excluded.usage_limit, external = excluded.external, quiet_since = excluded.quiet_since,
            last_activity_at = excluded.last_activity_at, turn_tail = coalesce(excluded.turn_tail, p.turn_tail),
            client = excluded.client, drift = excluded.drift, reported_at = excluded.reported_at,
            drift_since = case when p.drift = excluded.drift and p.lane_id = excluded.lane_id then p.drift_since
                else excluded.drift_since end,
            worked_at = coalesce(excluded.worked_at, p.worked_at),
            -- A client computes it anew for each report, so that it is never the same to the microsecond.
            moved_at = case when abs(extract(epoch from excluded.quiet_since - p.quiet_since)) <= 1 then p.moved_at
                else excluded.reported_at end,
            status_since = case when p.status = excluded.status then p.status_since else excluded.reported_at end",
        pane.pane_client_id,
        pane.key,
        pane.place.0,
        pane.place.1,
        pane.agent_kind,
        pane.session_id,
        pane.status,
        pane.safe_to_type,
        pane.awaiting_input,
        pane.ended_turn,
        pane.limit,
        pane.external,
        pane.quiet_since,
        pane.last_activity_at,
        pane.turn_tail,
        pane.client,
        pane.now,
        pane.drift,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A pane for those who look at its lane.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
pub struct PaneRow {
    /// Whose.
    pub pane_client_id: Uuid,
    /// Its client's name.
    pub client_name: String,
    /// The client's version, as it says.
    pub client_version: Option<String>,
    /// The machine that the client runs on, as it says.
    pub client_host: Option<String>,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its key.
    pub key: String,
    /// The agent kind.
    pub agent_kind: String,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The status; `unknown` when nothing was heard for too long.
    pub status: String,
    /// The last report is not older than it may be.
    pub fresh: bool,
    /// Text may be typed, and the report is fresh.
    pub safe_to_type: bool,
    /// It asks something in plain words.
    pub awaiting_input: bool,
    /// The provider's limit is on the screen.
    pub usage_limit: bool,
    /// Since when the status is so.
    pub status_since: DateTime<Utc>,
    /// When it was last reported.
    pub reported_at: DateTime<Utc>,
}

/// The panes of a lane.
pub async fn of_lane(conn: &mut PgConnection, lane: Uuid, fresh: DateTime<Utc>) -> sqlx::Result<Vec<PaneRow>> {
    watched(conn, Some(lane), fresh).await
}

/// The panes of one lane or of all, by clients that are in use; what was last reported before `fresh` reads as unknown.
pub async fn watched(conn: &mut PgConnection, lane: Option<Uuid>, fresh: DateTime<Utc>) -> sqlx::Result<Vec<PaneRow>> {
    sqlx::query_as!(
        PaneRow,
        r#"select p.pane_client_id, c.name as client_name, p.client->>'version' as client_version,
            p.client->>'host' as client_host, p.lane_id, p.key, p.agent_kind, p.session_id,
            case when p.reported_at < $2 then 'unknown' else p.status end as "status!",
            (p.reported_at >= $2) as "fresh!", (p.safe_to_type and p.reported_at >= $2) as "safe_to_type!",
            p.awaiting_input, p.usage_limit, p.status_since, p.reported_at
        from panes p join pane_clients c on c.id = p.pane_client_id
        where ($1::uuid is null or p.lane_id = $1) and c.removed_at is null order by p.key, p.pane_client_id"#,
        lane,
        fresh,
    )
    .fetch_all(conn)
    .await
}

/// Which agent is in a pane: its kind, and its session if that is known.
pub async fn agent(conn: &mut PgConnection, client: Uuid, key: &str) -> sqlx::Result<Option<(String, Option<String>)>> {
    let row =
        sqlx::query!("select agent_kind, session_id from panes where pane_client_id = $1 and key = $2", client, key,)
            .fetch_optional(conn)
            .await?;
    Ok(row.map(|row| (row.agent_kind, row.session_id)))
}

/// A pane that nobody has reported for too long.
#[derive(Clone, Debug)]
pub struct Silent {
    /// Whose.
    pub pane_client_id: Uuid,
    /// Its key.
    pub key: String,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The agent kind.
    pub agent_kind: String,
    /// The menu it showed, which nobody sees any more.
    pub drift: Option<Drift>,
}

/// Makes panes that were last reported before `fresh` unknown; the answer is which.
pub async fn silence(
    conn: &mut PgConnection,
    (fresh, now): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<Vec<Silent>> {
    let rows = sqlx::query!(
        "with silent as (
            select pane_client_id, key, drift, drift_since from panes where reported_at < $1
                and (status <> 'unknown' or drift is not null)
            order by pane_client_id, key for update skip locked
        )
        update panes p set status = 'unknown', safe_to_type = false, drift = null, drift_since = null,
            status_since = case when p.status = 'unknown' then p.status_since else $2 end
        from silent where p.pane_client_id = silent.pane_client_id and p.key = silent.key
        returning p.pane_client_id, p.key, p.project_id, p.lane_id, p.session_id, p.agent_kind, silent.drift,
            silent.drift_since",
        fresh,
        now,
    )
    .fetch_all(conn)
    .await?;
    let silent = rows.into_iter().map(|row| Silent {
        drift: drift((row.drift, row.drift_since), (row.project_id, row.lane_id)),
        pane_client_id: row.pane_client_id,
        key: row.key,
        project_id: row.project_id,
        lane_id: row.lane_id,
        session_id: row.session_id,
        agent_kind: row.agent_kind,
    });
    Ok(silent.collect())
}
