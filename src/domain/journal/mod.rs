//! The chain over the journal: what is hashed of a row, what a block is, and what follows the newest one.
//!
//! A row has two hashes. The first covers everything that retention keeps, the second the payload, bound to its row by the first.
//! Retention takes the payload away and nothing else, so a redacted row is still proven: its place, time, kind and actor by the
//! first hash, and the second, kept in the block, still holds the chain together. What a payload said stays provable to whoever
//! kept a copy of it.

pub mod checkpoint;
mod compare;
pub mod finding;
pub mod restore;
mod unmet;
pub mod verify;

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::cursor::Cursor;
use super::digest::{Digest, Encoder};

/// Most rows of a block.
pub const BLOCK_MAX: i64 = 2_000;

/// A journal row as the chain sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its epoch, transaction and id.
    pub cursor: Cursor,
    /// Its project.
    pub project: Option<Uuid>,
    /// Its lane.
    pub lane: Option<Uuid>,
    /// Its proposal.
    pub proposal: Option<Uuid>,
    /// The proposal's version after it.
    pub version: Option<i32>,
    /// What happened.
    pub kind: String,
    /// Who did it.
    pub actor: String,
    /// The exact text of the particulars.
    pub payload: Option<String>,
    /// When.
    pub at: DateTime<Utc>,
    /// Whether retention took the payload away.
    pub redacted: bool,
}

/// The two hashes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHash {
    /// Of all but the payload.
    pub meta: Digest,
    /// Of the payload, bound to `meta`.
    pub payload: Digest,
}

impl Row {
    /// Both hashes.
    pub fn hash(&self) -> RowHash {
        let meta = self.meta(self.cursor);
        let mut payload = Encoder::new("countersign/journal/payload/1");
        payload.bytes(&meta.0).maybe(self.payload.as_deref());
        RowHash { meta, payload: payload.finish() }
    }

    /// The hash of all but the payload, as if the row stood at `cursor`.
    fn meta(&self, cursor: Cursor) -> Digest {
        let id = |id: Option<Uuid>| id.map(|id| id.to_string());
        let mut meta = Encoder::new("countersign/journal/row/1");
        meta.bytes(&cursor.id.to_be_bytes())
            .bytes(&cursor.epoch.to_be_bytes())
            .number(cursor.xid)
            .maybe(id(self.project).as_deref())
            .maybe(id(self.lane).as_deref())
            .maybe(id(self.proposal).as_deref())
            .maybe(self.version.map(|version| version.to_string()).as_deref())
            .text(&self.kind)
            .text(&self.actor)
            .bytes(&self.at.timestamp_micros().to_be_bytes());
        meta.finish()
    }
}

/// The newest block, or the empty chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its height; 0 for the empty chain.
    pub height: i64,
    /// The position of its last row.
    pub upto: Cursor,
    /// Its hash; zeros for the empty chain.
    pub hash: Digest,
}

/// The chain before its first block.
pub const EMPTY: Head = Head { height: 0, upto: Cursor { epoch: 0, xid: 0, id: 0 }, hash: Digest([0; 32]) };

/// A sealed stretch of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// 1 for the first.
    pub height: i64,
    /// The position of its last row.
    pub upto: Cursor,
    /// The hashes of its rows, in order.
    pub rows: Vec<RowHash>,
    /// The hash of the block before it.
    pub prev: Digest,
    /// Its own.
    pub hash: Digest,
    /// When it was sealed.
    pub sealed_at: DateTime<Utc>,
}

impl Block {
    /// The block that seals `rows` behind `head`; none for no rows.
    pub fn seal(head: &Head, rows: &[Row], sealed_at: DateTime<Utc>) -> Option<Self> {
        let mut block = Self {
            height: head.height + 1,
            upto: rows.last()?.cursor,
            rows: rows.iter().map(Row::hash).collect(),
            prev: head.hash,
            hash: EMPTY.hash,
            sealed_at,
        };
        block.hash = block.computed_hash();
        Some(block)
    }

    /// What its hash must be.
    pub fn computed_hash(&self) -> Digest {
        let mut block = Encoder::new("countersign/journal/block/1");
        block
            .bytes(&self.height.to_be_bytes())
            .bytes(&self.upto.epoch.to_be_bytes())
            .number(self.upto.xid)
            .bytes(&self.upto.id.to_be_bytes())
            .number(self.rows.len() as u64)
            .bytes(&self.row_bytes())
            .bytes(&self.prev.0)
            .bytes(&self.sealed_at.timestamp_micros().to_be_bytes());
        block.finish()
    }

    /// The row hashes as the database keeps them: 64 bytes a row.
    pub fn row_bytes(&self) -> Vec<u8> {
        let halves = self.rows.iter().flat_map(|row| [row.meta.0, row.payload.0]);
        halves.flatten().collect()
    }

    /// Reads what [`Self::row_bytes`] wrote; a last piece of less than 64 bytes is left out.
    pub fn read_rows(bytes: &[u8]) -> Vec<RowHash> {
        let half = |bytes: &[u8]| Digest::from_slice(bytes).unwrap_or(EMPTY.hash);
        bytes.chunks_exact(64).map(|row| RowHash { meta: half(&row[..32]), payload: half(&row[32..]) }).collect()
    }

    /// The chain's head once this block is its newest.
    pub fn head(&self) -> Head {
        Head { height: self.height, upto: self.upto, hash: self.hash }
    }
}
