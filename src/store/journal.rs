//! The sealed chain over the journal: reading rows in the tail's order, and appending blocks. Nothing here changes a row.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::domain::cursor::Cursor;
use crate::domain::digest::Digest;
use crate::domain::journal::{Block, EMPTY, Head, Row};

/// The advisory lock of the one server that seals at a time.
const SEALING: i64 = 0x4353_5345_414c;

/// A row as the database gives it.
struct RawRow {
    id: i64,
    epoch: i32,
    xid: String,
    project_id: Option<Uuid>,
    lane_id: Option<Uuid>,
    proposal_id: Option<Uuid>,
    version: Option<i32>,
    kind: String,
    actor: String,
    payload: Option<String>,
    at: DateTime<Utc>,
    redacted_at: Option<DateTime<Utc>>,
}

impl From<RawRow> for Row {
    fn from(raw: RawRow) -> Self {
        Self {
            cursor: cursor(raw.epoch, &raw.xid, raw.id),
            project: raw.project_id,
            lane: raw.lane_id,
            proposal: raw.proposal_id,
            version: raw.version,
            kind: raw.kind,
            actor: raw.actor,
            payload: raw.payload,
            at: raw.at,
            redacted: raw.redacted_at.is_some(),
        }
    }
}

/// Postgres writes an xid8 as digits that fit; anything else would sort last and fail the check of its row.
fn cursor(epoch: i32, xid: &str, id: i64) -> Cursor {
    Cursor { epoch, xid: xid.parse().unwrap_or(u64::MAX), id }
}

/// Opens a transaction in which every read sees the same moment. It writes nothing, so it holds no tail back.
pub async fn snapshot(pool: &PgPool) -> sqlx::Result<Transaction<'static, Postgres>> {
    pool.begin_with("begin isolation level repeatable read read only").await
}

/// Takes the sealer's lock for this transaction; false when another server has it.
pub async fn try_lock(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select pg_try_advisory_xact_lock($1) as "taken!""#, SEALING).fetch_one(conn).await
}

/// The newest block, or the empty chain.
pub async fn head(conn: &mut PgConnection) -> sqlx::Result<Head> {
    let row = sqlx::query!(
        r#"select height, upto_epoch, upto_xid::text as "upto_xid!", upto_id, hash
        from journal_blocks order by height desc limit 1"#
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map_or(EMPTY, |row| Head {
        height: row.height,
        upto: cursor(row.upto_epoch, &row.upto_xid, row.upto_id),
        hash: hash(&row.hash),
    }))
}

/// A hash column; its length is checked by the table.
fn hash(bytes: &[u8]) -> Digest {
    Digest::from_slice(bytes).unwrap_or(EMPTY.hash)
}

/// The hash of the block at a height.
pub async fn hash_at(conn: &mut PgConnection, height: i64) -> sqlx::Result<Option<Digest>> {
    let found =
        sqlx::query_scalar!("select hash from journal_blocks where height = $1", height).fetch_optional(conn).await?;
    Ok(found.map(|bytes| hash(&bytes)))
}

/// How the chain stands to one of its heights.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The hash of the block there; none when there is no such block.
    pub hash: Option<Digest>,
    /// How many rows stand in the blocks above it.
    pub rows: i64,
    /// The database's time.
    pub now: DateTime<Utc>,
}

/// How the chain stands to a height.
pub async fn progress(conn: &mut PgConnection, height: i64, offset_us: i64) -> sqlx::Result<Progress> {
    let row = sqlx::query!(
        r#"select clock_at($2) as "now!", (select hash from journal_blocks where height = $1) as hash,
            (select coalesce(sum(row_count), 0)::bigint from journal_blocks where height > $1) as "rows!""#,
        height,
        offset_us,
    )
    .fetch_one(conn)
    .await?;
    Ok(Progress { hash: row.hash.map(|bytes| hash(&bytes)), rows: row.rows, now: row.now })
}

/// Rows behind a position that no older transaction can still get in front of: what the tail may see.
pub async fn sealable(conn: &mut PgConnection, after: Cursor, limit: i64) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query_as!(
        RawRow,
        r#"select id, epoch, xid::text as "xid!", project_id, lane_id, proposal_id, version, kind, actor,
            payload::text as payload, at, redacted_at
        from events
        where (epoch, xid, id) > ($1, $2::text::xid8, $3)
            and (epoch < (select current_epoch()) or xid < (select pg_snapshot_xmin(pg_current_snapshot())))
        order by epoch, xid, id limit $4"#,
        after.epoch,
        after.xid.to_string(),
        after.id,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Row::from).collect())
}

/// Rows behind one position, up to and with another.
pub async fn between(conn: &mut PgConnection, after: Cursor, upto: Cursor) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query_as!(
        RawRow,
        r#"select id, epoch, xid::text as "xid!", project_id, lane_id, proposal_id, version, kind, actor,
            payload::text as payload, at, redacted_at
        from events
        where (epoch, xid, id) > ($1, $2::text::xid8, $3) and (epoch, xid, id) <= ($4, $5::text::xid8, $6)
        order by epoch, xid, id"#,
        after.epoch,
        after.xid.to_string(),
        after.id,
        upto.epoch,
        upto.xid.to_string(),
        upto.id,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Row::from).collect())
}

/// Rows behind a position, whether or not the tail may see them yet.
pub async fn behind(conn: &mut PgConnection, after: Cursor, limit: i64) -> sqlx::Result<Vec<Row>> {
    let rows = sqlx::query_as!(
        RawRow,
        r#"select id, epoch, xid::text as "xid!", project_id, lane_id, proposal_id, version, kind, actor,
            payload::text as payload, at, redacted_at
        from events
        where (epoch, xid, id) > ($1, $2::text::xid8, $3)
        order by epoch, xid, id limit $4"#,
        after.epoch,
        after.xid.to_string(),
        after.id,
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Row::from).collect())
}

/// Appends a block.
pub async fn insert_block(conn: &mut PgConnection, block: &Block) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into journal_blocks
            (height, upto_epoch, upto_xid, upto_id, row_count, row_hashes, prev_hash, hash, sealed_at)
        values ($1, $2, $3::text::xid8, $4, length($5::bytea) / 64, $5, $6, $7, $8)",
        block.height,
        block.upto.epoch,
        block.upto.xid.to_string(),
        block.upto.id,
        block.row_bytes(),
        &block.prev.0[..],
        &block.hash.0[..],
        block.sealed_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Blocks above a height, lowest first.
pub async fn blocks_above(conn: &mut PgConnection, height: i64, limit: i64) -> sqlx::Result<Vec<Block>> {
    let rows = sqlx::query!(
        r#"select height, upto_epoch, upto_xid::text as "upto_xid!", upto_id, row_hashes, prev_hash, hash, sealed_at
        from journal_blocks where height > $1 order by height limit $2"#,
        height,
        limit,
    )
    .fetch_all(conn)
    .await?;
    let blocks = rows.into_iter().map(|row| Block {
        height: row.height,
        upto: cursor(row.upto_epoch, &row.upto_xid, row.upto_id),
        rows: Block::read_rows(&row.row_hashes),
        prev: hash(&row.prev_hash),
        hash: hash(&row.hash),
        sealed_at: row.sealed_at,
    });
    Ok(blocks.collect())
}
