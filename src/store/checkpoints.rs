//! Signing keys and signed checkpoints as the database keeps them; the copy that counts is the notary's file.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::journal::checkpoint::{Checkpoint, Signed};

/// Makes a key known for one purpose, `checkpoint` or `pane_token`; knowing it already is fine.
pub async fn register_key(
    conn: &mut PgConnection,
    purpose: &str,
    (kid, public_key): (&str, &[u8; 32]),
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into signing_keys (kid, purpose, public_key) values ($1, $2, $3) on conflict (kid) do nothing",
        kid,
        purpose,
        &public_key[..],
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps a checkpoint.
pub async fn insert(conn: &mut PgConnection, id: Uuid, checkpoint: &Checkpoint, signed: &Signed) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into checkpoints (id, height, hash, epoch, reason, kid, signature, statement, at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        id,
        checkpoint.height,
        &checkpoint.hash.0[..],
        checkpoint.epoch,
        checkpoint.reason.as_str(),
        signed.kid,
        &signed.signature[..],
        signed.statement,
        checkpoint.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a key has signed any checkpoint that the database knows of.
pub async fn known(conn: &mut PgConnection, kid: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select exists (select from checkpoints where kid = $1) as "known!""#, kid)
        .fetch_one(conn)
        .await
}

/// Every checkpoint in the database, oldest first, as it stands there; none has been checked.
pub async fn all(conn: &mut PgConnection) -> sqlx::Result<Vec<Signed>> {
    let rows = sqlx::query!(
        "select c.statement, c.kid, k.public_key, c.signature
        from checkpoints c join signing_keys k on k.kid = c.kid order by c.id"
    )
    .fetch_all(conn)
    .await?;
    // The table checks both lengths; a row that got past that does not open, and is named as forged.
    let signed = rows.into_iter().map(|row| Signed {
        statement: row.statement,
        kid: row.kid,
        public_key: row.public_key.try_into().unwrap_or([0; 32]),
        signature: row.signature.try_into().unwrap_or([0; 64]),
    });
    Ok(signed.collect())
}

/// When the newest checkpoint was signed.
pub async fn newest_at(conn: &mut PgConnection) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!("select max(at) from checkpoints").fetch_one(conn).await
}
