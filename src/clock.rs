//! Time and ids as things that are handed in: the only place that reads the machine's clock or its randomness.
//!
//! The database's clock decides everything that is stored; [`Clock::offset_us`] moves it in tests.
//! This clock serves timeouts, tokens and the time part of new ids.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use rand::Rng;
use uuid::Uuid;

/// The clock, with an offset that is zero outside tests.
#[derive(Debug, Default)]
pub struct Clock {
    offset_us: AtomicI64,
}

impl Clock {
    /// The machine's time plus the offset. Never stored: see the module's first lines.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the machine's clock")]
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::microseconds(self.offset_us())
    }

    /// What the store adds to the database's clock, in microseconds.
    pub fn offset_us(&self) -> i64 {
        self.offset_us.load(Ordering::Relaxed)
    }

    /// Moves time forward (tests).
    pub fn advance(&self, by: TimeDelta) {
        self.offset_us.fetch_add(by.num_microseconds().unwrap_or(i64::MAX / 2), Ordering::Relaxed);
    }
}

/// Makes UUIDv7 ids: sorted by creation, so that they index well.
#[derive(Debug, Default)]
pub struct Ids;

impl Ids {
    /// A fresh id whose time part is `now`.
    pub fn new_id(&self, now: DateTime<Utc>) -> Uuid {
        let mut random = [0u8; 10];
        rand::rng().fill_bytes(&mut random);
        let millis = u64::try_from(now.timestamp_millis()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}

/// 256 random bits for a secret that is shown once.
pub fn secret_bytes() -> [u8; 32] {
    let mut bytes = [0u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}
