//! Sessions that can be spoken to: panes that are reported with a session, each in its lane.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A session in its pane.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Whose pane.
    pub pane_client_id: Uuid,
    /// The pane.
    pub pane_key: String,
    /// The session in it.
    pub session_id: String,
    /// The agent kind.
    pub agent_kind: String,
    /// The status; `unknown` when the last report is too old.
    pub status: String,
    /// Its project.
    pub project_id: Uuid,
    /// That project's name.
    pub project: String,
    /// Its lane.
    pub lane_id: Uuid,
    /// That lane's name.
    pub lane: String,
    /// The profile its agents run with.
    pub profile: Option<String>,
    /// A token of its agent has made a call.
    pub mounted: bool,
}

impl Seat {
    /// The pane.
    pub fn pane(&self) -> (Uuid, &str) {
        (self.pane_client_id, &self.pane_key)
    }
}

/// The columns stand once; `$1` is from when a report is fresh, `$2` from when a pane is gone.
macro_rules! seats {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            Seat,
            r#"select p.pane_client_id, p.key as pane_key, p.session_id as "session_id!", p.agent_kind,
                case when p.reported_at < $1 then 'unknown' else p.status end as "status!", l.project_id,
                j.name::text as "project!", l.id as lane_id, l.name::text as "lane!", l.profile,
                exists (
                    select from agents a where a.lane_id = l.id and a.removed_at is null and a.mounted_at is not null
                        and (a.pane_key is null or a.pane_key = p.key)
                ) as "mounted!"
            from panes p
            join pane_clients c on c.id = p.pane_client_id and c.removed_at is null
            join lanes l on l.id = p.lane_id and l.removed_at is null
            join projects j on j.id = l.project_id
            where p.session_id is not null and p.reported_at > $2 "# + $tail,
            $($arg),*
        )
    };
}

/// Sessions of a project, or the ones of a name.
pub async fn seats_of_project(
    conn: &mut PgConnection,
    (project, session): (Uuid, Option<&str>),
    (fresh, gone): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<Vec<Seat>> {
    seats!(
        "and l.project_id = $3 and ($4::text is null or p.session_id = $4) order by l.name, p.key, p.pane_client_id",
        fresh,
        gone,
        project,
        session,
    )
    .fetch_all(conn)
    .await
}

/// The sessions that an agent can be: its own pane's, or without one its lane's.
pub async fn seats_of_agent(
    conn: &mut PgConnection,
    agent: Uuid,
    (fresh, gone): (DateTime<Utc>, DateTime<Utc>),
) -> sqlx::Result<Vec<Seat>> {
    seats!(
        "and exists (
            select from agents s where s.id = $3 and s.lane_id = l.id and (s.pane_key is null or s.pane_key = p.key)
        ) order by p.key, p.pane_client_id",
        fresh,
        gone,
        agent,
    )
    .fetch_all(conn)
    .await
}

/// Whether a session is anybody's anywhere: for the journal, which is told of a reach into another project.
pub async fn is_known(conn: &mut PgConnection, session: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select exists (select from panes where session_id = $1) as "known!""#, session)
        .fetch_one(conn)
        .await
}
