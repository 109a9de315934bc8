//! Slowing down guessers: an attempt is counted in the database before its password is looked at.

use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tokio::sync::{Mutex, MutexGuard};

use crate::app::AppState;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::throttle::{self as rule, Tries};
use crate::error::{Code, Problem, Result};
use crate::store;
use crate::store::events::{self, NewEvent};
use crate::store::throttle::{self, Key};

/// Attempts on one account from one source go one after the other, so that somebody's own parallel requests
/// with the right password do not count as guesses. Guesses beyond this process are held back by the counts alone.
static LANES: [Mutex<()>; 64] = [const { Mutex::const_new(()) }; 64];

/// An attempt that was counted and may now be looked at.
pub struct Attempt {
    account: [u8; 32],
    source: String,
    _turn: MutexGuard<'static, ()>,
}

/// The key of a source as a whole: no account has this hash.
fn whole() -> [u8; 32] {
    [0; 32]
}

impl Attempt {
    /// Counts an attempt. 429 if the account or the source has to wait; nothing is locked for anybody else.
    pub async fn begin(app: &AppState, account: &str, source: &str) -> Result<Self> {
        let key: [u8; 32] = Sha256::digest(account.as_bytes()).into();
        let mut tx = app.db.begin().await?;
        let (account, offset_us) = (&whole()[..], app.clock.offset_us());
        count(&mut tx, Key { account, source }, offset_us, rule::from_source).await?;
        tx.commit().await?;

        let lane = hash64(Key { account: &key, source }) % 64;
        let turn = LANES[usize::try_from(lane).unwrap_or_default()].lock().await;
        let mut tx = app.db.begin().await?;
        let tries = count(&mut tx, Key { account: &key, source }, offset_us, rule::on_account).await?;
        let now = tries.last;
        if rule::is_notable(tries.failures) {
            let payload = json!({"source": source, "failures": tries.failures});
            let event = NewEvent {
                kind: EventKind::SigninThrottled,
                actor: Actor::System,
                place: Place::default(),
                proposal: None,
                payload,
                at: now,
            };
            events::append(&mut tx, event).await?;
        }
        tx.commit().await?;
        Ok(Self { account: key, source: source.to_owned(), _turn: turn })
    }

    /// The password was right: what was counted is forgotten.
    pub async fn succeeded(&self, app: &AppState) -> Result<()> {
        let mut tx = app.db.begin().await?;
        let (account, source) = (&self.account[..], self.source.as_str());
        throttle::clear(&mut tx, Key { account, source }).await?;
        let account = &whole()[..];
        throttle::give_back(&mut tx, Key { account, source }).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Counts one attempt. The clock is read behind the lock, so that who waited for it is not taken for early.
async fn count(
    conn: &mut PgConnection,
    key: Key<'_>,
    offset_us: i64,
    rule: fn(Option<Tries>, DateTime<Utc>) -> Result<Tries, TimeDelta>,
) -> Result<Tries> {
    throttle::lock(conn, hash64(key).cast_signed()).await?;
    let now = store::now(conn, offset_us).await?;
    let before = throttle::find(conn, key).await?;
    let tries = rule(before, now).map_err(|wait| {
        let secs = u64::try_from(wait.num_milliseconds()).unwrap_or(0).div_ceil(1000).max(1);
        Problem::new(Code::SlowDown, format!("Too many attempts that failed. Try again in {secs} s."))
            .with("retry_after", secs)
    })?;
    throttle::save(conn, key, &tries).await?;
    Ok(tries)
}

/// The same on every replica that runs the same build; two keys that meet here only wait for each other.
fn hash64(key: Key<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (key.account, key.source).hash(&mut hasher);
    hasher.finish()
}
