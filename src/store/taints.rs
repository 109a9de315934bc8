//! What approvals left behind: files that runners execute, and shells that are no longer what a proof assumes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Whether a file that runners execute was written in a lane, and nobody has approved a run since.
pub async fn runner(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select exists (select from runner_taints where lane_id = $1) as "tainted!""#, lane)
        .fetch_one(conn)
        .await
}

/// Sets the runner taint of a lane, by a proposal.
pub async fn set_runner(conn: &mut PgConnection, lane: Uuid, proposal: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into runner_taints (lane_id, proposal_id, since) values ($1, $2, $3)
        on conflict (lane_id) do update set proposal_id = excluded.proposal_id, since = excluded.since",
        lane,
        proposal,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Somebody has looked at a run.
pub async fn clear_runner(conn: &mut PgConnection, lane: Uuid) -> sqlx::Result<()> {
    sqlx::query!("delete from runner_taints where lane_id = $1", lane).execute(conn).await?;
    Ok(())
}

/// The shell that a pane had when its taint was set: the terminal server and the pane's first process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    /// The server.
    pub server: String,
    /// The process; none is 0.
    pub pid: i64,
}

/// The tainted shell of a pane, if there is one.
pub async fn shell(conn: &mut PgConnection, client: Uuid, pane: &str) -> sqlx::Result<Option<Shell>> {
    sqlx::query_as!(
        Shell,
        "select server, pid from shell_taints where pane_client_id = $1 and pane_key = $2",
        client,
        pane,
    )
    .fetch_optional(conn)
    .await
}

/// Sets the shell taint of a pane, by a proposal.
pub async fn set_shell(
    conn: &mut PgConnection,
    (client, pane): (Uuid, &str),
    shell: &Shell,
    (proposal, now): (Uuid, DateTime<Utc>),
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into shell_taints (pane_client_id, pane_key, server, pid, proposal_id, since) values ($1, $2, $3, $4, $5, $6)
        on conflict (pane_client_id, pane_key) do update set server = excluded.server, pid = excluded.pid,
            proposal_id = excluded.proposal_id, since = excluded.since",
        client,
        pane,
        shell.server,
        shell.pid,
        proposal,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A taint that was set when the shell was not known is one of this shell.
pub async fn name_shell(conn: &mut PgConnection, (client, pane): (Uuid, &str), shell: &Shell) -> sqlx::Result<()> {
    sqlx::query!(
        "update shell_taints set server = $3, pid = $4 where pane_client_id = $1 and pane_key = $2",
        client,
        pane,
        shell.server,
        shell.pid,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The pane has another shell.
pub async fn clear_shell(conn: &mut PgConnection, client: Uuid, pane: &str) -> sqlx::Result<()> {
    sqlx::query!("delete from shell_taints where pane_client_id = $1 and pane_key = $2", client, pane)
        .execute(conn)
        .await?;
    Ok(())
}
