//! Agent tokens that were good within the last minute, so that a read need not ask the database who calls.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::tokens::AgentToken;

/// How long a reading may serve, in microseconds.
const KEEP_US: i64 = 60_000_000;

/// The cache. Whoever revokes clears it here; the tail clears it on every other replica.
#[derive(Debug, Default)]
pub struct Bearers {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Rises with every clearing, so that a reading from before it cannot be kept after it.
    clearings: u64,
    by_hash: HashMap<[u8; 32], (AgentToken, i64)>,
}

impl Bearers {
    fn lock(&self) -> MutexGuard<'_, Known> {
        // The map is whole between statements, so a panic elsewhere while it was held left nothing half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A reading that still serves at `now_us`.
    pub fn get(&self, hash: &[u8; 32], now_us: i64) -> Option<AgentToken> {
        let known = self.lock();
        let (token, read_us) = known.by_hash.get(hash)?;
        let ends_us = token.expires_at.map_or(i64::MAX, |end| end.timestamp_micros());
        (now_us < (*read_us + KEEP_US).min(ends_us)).then(|| token.clone())
    }

    /// How many clearings there were: read it before asking the database.
    pub fn clearings(&self) -> u64 {
        self.lock().clearings
    }

    /// Keeps a reading, unless something was revoked since `clearings` was read.
    pub fn keep(&self, clearings: u64, hash: [u8; 32], token: AgentToken, now_us: i64) {
        let mut known = self.lock();
        if known.clearings == clearings {
            known.by_hash.insert(hash, (token, now_us));
        }
    }

    /// Forgets all: a token was revoked, or memory can no longer be trusted.
    pub fn clear(&self) {
        let mut known = self.lock();
        known.clearings += 1;
        known.by_hash.clear();
    }
}
