//! Retention: what is old and done with loses its content, in small batches, and the journal says how much did.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::store;
use crate::store::events::{self, NewEvent};
use crate::store::{journal, retention};

/// Proposals a transaction takes, so that none holds its locks for long.
const PROPOSALS: i64 = 100;
/// Other rows a transaction takes.
const ROWS: i64 = 1_000;
/// How long an idempotency key is good for at least.
const KEYS_LAST: TimeDelta = TimeDelta::days(7);

/// What a run took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retained {
    /// Proposals whose content is gone.
    pub proposals: u64,
    /// Journal rows whose payload is gone.
    pub events: u64,
    /// Idempotency keys forgotten.
    pub keys: u64,
}

/// Redacts everything that is due, and forgets old idempotency keys. Nothing pending or unseen is touched.
pub async fn retain(app: &App) -> Result<Retained> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    drop(conn);
    let before = now - TimeDelta::days(i64::from(app.settings().await?.retention_days));
    let mut total = Retained::default();
    let mut from = DateTime::UNIX_EPOCH;
    while let Some(batch) = proposals(app, (from, before)).await? {
        total.proposals += batch.proposals;
        total.events += batch.events;
        from = batch.upto;
    }
    loop {
        let events = other_events(app, before).await?;
        total.events += events;
        if events < ROWS.unsigned_abs() {
            break;
        }
    }
    let mut conn = app.db.acquire().await?;
    loop {
        let keys = retention::delete_keys(&mut conn, now - KEYS_LAST, ROWS).await?;
        total.keys += keys;
        if keys < ROWS.unsigned_abs() {
            break;
        }
    }
    Ok(total)
}

struct Batch {
    proposals: u64,
    events: u64,
    /// When the last of them was closed.
    upto: DateTime<Utc>,
}

/// One batch of proposals, closed in a stretch of time, with all that is kept of them; none when there are no more.
async fn proposals(app: &App, (from, before): (DateTime<Utc>, DateTime<Utc>)) -> Result<Option<Batch>> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let sealed = journal::head(&mut tx).await?.upto;
    let found = retention::lock_redactable(&mut tx, (from, before), sealed, PROPOSALS).await?;
    let Some(last) = found.last() else { return Ok(None) };
    let ids: Vec<Uuid> = found.iter().map(|proposal| proposal.id).collect();
    retention::redact_proposals(&mut tx, &ids, now).await?;
    let events = retention::redact_events_of(&mut tx, &ids, sealed, now).await?;
    let count = ids.len() as u64;
    record(&mut tx, (count, events), before, now).await?;
    tx.commit().await?;
    Ok(Some(Batch { proposals: count, events, upto: last.closed_at }))
}

/// One batch of rows that belong to no proposal.
async fn other_events(app: &App, before: DateTime<Utc>) -> Result<u64> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let sealed = journal::head(&mut tx).await?.upto;
    let events = retention::redact_events(&mut tx, before, sealed, (ROWS, now)).await?;
    if events > 0 {
        record(&mut tx, (0, events), before, now).await?;
        tx.commit().await?;
    }
    Ok(events)
}

/// The verifier holds the sum of these rows against the payloads that are gone.
async fn record(
    conn: &mut PgConnection,
    (proposals, events): (u64, u64),
    before: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<()> {
    let event = NewEvent {
        kind: EventKind::JournalRedacted,
        actor: Actor::System,
        place: Place::default(),
        proposal: None,
        payload: json!({"proposals": proposals, "events": events, "before": before}),
        at: now,
    };
    events::append(conn, event).await?;
    Ok(())
}
