//! Dialogs as rows: what a pane client reported, how it was judged, and where its proposal stands.

mod create;

pub use create::{NewDialog, insert};

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::domain::report::{Kept, Report};

/// A dialog with what its proposal says.
#[derive(Clone, Debug)]
pub struct DialogRow {
    /// Its id, which is its proposal's.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// Who reported it.
    pub pane_client_id: Uuid,
    /// The client's id of the continuously seen dialog.
    pub instance: Uuid,
    /// The pane.
    pub pane_key: String,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The agent kind.
    pub agent_kind: String,
    /// `permission`, `decision`, …
    pub dialog_kind: String,
    /// Where it would run.
    pub cwd: String,
    /// The class.
    pub class: Option<String>,
    /// Proven to stay inside.
    pub repo_scoped: bool,
    /// What was decided about it.
    pub verdict: String,
    /// Why.
    pub policy_source: String,
    /// With both keys on and nothing paused.
    pub would_verdict: String,
    /// Why.
    pub would_source: String,
    /// The rest of the judgement.
    pub judgement: Json<Kept>,
    /// The report as it came; none once redacted.
    pub report: Option<Json<Report>>,
    /// When it was no longer on the screen.
    pub ended_at: Option<DateTime<Utc>>,
    /// The risk.
    pub risk: String,
    /// The title in lists.
    pub title: String,
    /// The command.
    pub command: Option<String>,
    /// The content's digest.
    pub digest: Vec<u8>,
    /// Where the proposal stands.
    pub status: String,
    /// Its version.
    pub version: i32,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// The policy it was judged by.
    pub policy_version: Option<i64>,
    /// What became of its orders.
    pub executed: Option<String>,
    /// The row that was decided on.
    pub option: Option<sqlx::types::JsonValue>,
}

/// The columns stand once; whoever uses it has `Json`, `Kept` and `Report` in scope.
macro_rules! dialog_rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            DialogRow,
            r#"select d.proposal_id as id, p.project_id, p.lane_id, l.name::text as "lane!", d.pane_client_id, d.instance,
                d.pane_key, d.session_id, d.agent_kind, d.dialog_kind, d.cwd, p.class, d.repo_scoped, d.verdict,
                d.policy_source, d.would_verdict, d.would_source, d.judgement as "judgement: Json<Kept>",
                d.report as "report: Json<Report>", d.ended_at, p.risk, p.title, p.command, p.digest, p.status, p.version,
                p.expires_at, p.policy_version, r.executed as "executed?", x.option as "option?"
            from dialogs d
            join proposals p on p.id = d.proposal_id
            join lanes l on l.id = p.lane_id
            left join receipts r on r.proposal_id = d.proposal_id
            left join decisions x on x.proposal_id = d.proposal_id "# + $tail,
            $($arg),*
        )
    };
}

/// One dialog.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<DialogRow>> {
    dialog_rows!("where d.proposal_id = $1", id).fetch_optional(conn).await
}

/// The dialog that stands for an instance now.
pub async fn of_instance(conn: &mut PgConnection, client: Uuid, instance: Uuid) -> sqlx::Result<Option<DialogRow>> {
    dialog_rows!("where d.pane_client_id = $1 and d.instance = $2 and not d.superseded", client, instance)
        .fetch_optional(conn)
        .await
}

/// Makes reports of one instance come one after the other, until the transaction ends.
pub async fn claim(conn: &mut PgConnection, client: Uuid, instance: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1::text || $2::text, 0))",
        client.to_string(),
        instance.to_string(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Dialogs of one pane that were read off its screen and still count as being there, but for one instance.
pub async fn others_on_pane(
    conn: &mut PgConnection,
    (client, pane): (Uuid, &str),
    instance: Uuid,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select proposal_id from dialogs
        where pane_client_id = $1 and pane_key = $2 and ended_at is null and source = 'pane' and instance <> $3
        order by proposal_id",
        client,
        pane,
        instance,
    )
    .fetch_all(conn)
    .await
}

/// A pane client's dialogs that still count as being on a screen.
pub async fn open_of_client(conn: &mut PgConnection, client: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select proposal_id from dialogs where pane_client_id = $1 and ended_at is null order by proposal_id",
        client,
    )
    .fetch_all(conn)
    .await
}

/// A lane's dialogs that still count as being on a screen.
pub async fn open_of_lane(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "select d.proposal_id from dialogs d join proposals p on p.id = d.proposal_id
        where p.lane_id = $1 and d.ended_at is null order by d.proposal_id",
        lane,
    )
    .fetch_all(conn)
    .await
}

/// Notes that a dialog is no longer on the screen; false when that was known.
pub async fn end(conn: &mut PgConnection, id: Uuid, reason: &str, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "update dialogs set ended_at = $2, end_reason = $3 where proposal_id = $1 and ended_at is null",
        id,
        now,
        reason,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Another proposal will stand for the same instance.
pub async fn supersede(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("update dialogs set superseded = true where proposal_id = $1", id).execute(conn).await?;
    Ok(())
}
