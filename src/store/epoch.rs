//! The installation's epoch: telling a restored database from the one that was left, and taking back all power given before.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// What the database says about itself.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The cluster's own identity.
    pub cluster: String,
    /// The one that was noted at the first start.
    pub noted: Option<String>,
    /// The epoch.
    pub epoch: i32,
}

/// Reads it without a lock.
pub async fn identity(conn: &mut PgConnection) -> sqlx::Result<Identity> {
    sqlx::query_as!(
        Identity,
        r#"select c.system_identifier::text as "cluster!", i.system_identifier as noted, i.epoch
        from instance i, pg_control_system() c"#
    )
    .fetch_one(conn)
    .await
}

/// Reads it and holds it, so that of several servers that start at once one acts and the others see what it did.
pub async fn lock_identity(conn: &mut PgConnection) -> sqlx::Result<Identity> {
    sqlx::query_as!(
        Identity,
        r#"select c.system_identifier::text as "cluster!", i.system_identifier as noted, i.epoch
        from instance i, pg_control_system() c for update of i"#
    )
    .fetch_one(conn)
    .await
}

/// Notes which cluster this is.
pub async fn note_cluster(conn: &mut PgConnection, cluster: &str) -> sqlx::Result<()> {
    sqlx::query!("update instance set system_identifier = $1", cluster).execute(conn).await?;
    Ok(())
}

/// Holds everything a restore takes back, then the journal. In that order: a writer holds its proposal before it
/// comes to its journal row. With the journal held, no row of the old epoch can still appear behind the tail's back.
pub async fn hold_everything(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select from agents order by id for no key update").execute(&mut *conn).await?;
    sqlx::query!("select from pane_clients order by id for no key update").execute(&mut *conn).await?;
    sqlx::query!("select from proposals where status = 'pending' order by id for no key update")
        .execute(&mut *conn)
        .await?;
    sqlx::query!("select from orders where state <> 'done' order by id for no key update").execute(&mut *conn).await?;
    sqlx::query!("select from sessions where revoked_at is null order by id for update").execute(&mut *conn).await?;
    sqlx::query!("select from tokens where revoked_at is null order by id for update").execute(&mut *conn).await?;
    sqlx::query!("lock table events in exclusive mode").execute(conn).await?;
    Ok(())
}

/// Begins an epoch; rows written from here on carry it.
pub async fn begin(conn: &mut PgConnection, epoch: i32, cluster: &str) -> sqlx::Result<()> {
    sqlx::query!("update instance set epoch = $1, system_identifier = $2", epoch, cluster).execute(conn).await?;
    Ok(())
}

/// Ends every session; the answer is how many.
pub async fn revoke_sessions(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("update sessions set revoked_at = $1 where revoked_at is null", now).execute(conn).await?;
    Ok(done.rows_affected())
}

/// Makes every short-lived token of a pane client void.
pub async fn raise_token_epochs(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("update pane_clients set token_epoch = token_epoch + 1").execute(conn).await?;
    Ok(())
}

/// Every dialog of the old epoch is gone from its screen, as far as anybody knows.
pub async fn end_dialogs(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update dialogs set ended_at = $1, end_reason = 'restored' where ended_at is null", now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Ends every bearer token; the answer is how many.
pub async fn revoke_tokens(conn: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("update tokens set revoked_at = $1 where revoked_at is null", now).execute(conn).await?;
    Ok(done.rows_affected())
}

/// Withdraws every pending proposal with its journal row, and frees the agents' places; the answer is how many.
pub async fn withdraw_pending(conn: &mut PgConnection, reason: &str, now: DateTime<Utc>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"with closed as (
            update proposals set status = 'withdrawn', version = version + 1, close_reason = $1, closed_at = $2
            where status = 'pending'
            returning id, project_id, lane_id, version
        ),
        counters as (
            update agents set pending = 0 where pending <> 0
        ),
        journal as (
            insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select project_id, lane_id, id, version, 'proposal.withdrawn', 'system',
                json_build_object('reason', $1::text), $2
            from closed
        )
        select count(*) as "withdrawn!" from closed"#,
        reason,
        now,
    )
    .fetch_one(conn)
    .await
}
