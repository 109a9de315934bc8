//! An agent looks: pure and repeatable. Whoever waits sleeps in memory and costs the database nothing.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::Instant;
use uuid::Uuid;

use super::{cross, expire};
use crate::app::App;
use crate::auth::Agent;
use crate::error::{Error, Result};
use crate::hub::versions::Known;
use crate::store;
use crate::store::proposals::Row;
use crate::store::proposals::receipts::Step;

/// How to look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// The version the agent has (its `If-None-Match`).
    pub known: Option<i32>,
    /// How long it waits for another one, or without `known` for a final one.
    pub wait: Duration,
}

/// What there is to see.
#[derive(Debug)]
pub enum Seen {
    /// The proposal as it is.
    Now(Box<Row>),
    /// Still the version the agent has.
    Unchanged(i32),
}

/// Looks at one proposal of the agent's lane.
pub async fn check(app: &App, agent: &Agent, id: Uuid, look: Look) -> Result<Seen> {
    // Registered before the first read, so that nothing can happen unheard in between.
    let waiter = app.hub.waiters.register(id);
    let remembered = look.known.and_then(|known| Some((known, from_memory(app, agent, id, known)?)));
    let row = match remembered {
        Some((known, memory)) if look.wait.is_zero() || memory.is_final => return Ok(Seen::Unchanged(known)),
        Some(_) => None,
        None => Some(read(app, agent, id).await?),
    };
    wait(app, agent, Watch { id, row, look, waiter }).await
}

/// Waits on a proposal that was just read or written.
pub async fn wait_for(app: &App, agent: &Agent, row: Row, look: Look) -> Result<Row> {
    if look.wait.is_zero() {
        note_collected(app, agent, &row);
        return Ok(row);
    }
    let waiter = app.hub.waiters.register(row.id);
    // The row may be older than the registration: read once more now that nothing can be missed.
    let row = read(app, agent, row.id).await?;
    match wait(app, agent, Watch { id: row.id, row: Some(row), look, waiter }).await? {
        Seen::Now(row) => Ok(*row),
        Seen::Unchanged(_) => Err(Error::Internal("a wait without a known version ended unchanged".into())),
    }
}

struct Watch<'a> {
    id: Uuid,
    /// The newest that was read; none while memory vouches for the known version.
    row: Option<Row>,
    look: Look,
    waiter: crate::hub::waiters::Waiter<'a>,
}

async fn wait(app: &App, agent: &Agent, mut watch: Watch<'_>) -> Result<Seen> {
    let until = Instant::now() + watch.look.wait;
    loop {
        let have = match &watch.row {
            Some(row) if news(row, watch.look.known) => {
                note_collected(app, agent, row);
                return Ok(Seen::Now(Box::new(watch.row.take().ok_or_else(|| Error::Internal("no row".into()))?)));
            }
            Some(row) => row.version,
            None => watch.look.known.unwrap_or(0),
        };
        let final_already = watch.row.as_ref().is_some_and(|row| !row.is_pending());
        if final_already || Instant::now() >= until || app.stopping.is_cancelled() {
            return Ok(match (watch.row, watch.look.known) {
                (_, Some(known)) => Seen::Unchanged(known),
                (Some(row), None) => Seen::Now(Box::new(row)),
                (None, None) => Seen::Unchanged(have),
            });
        }
        let wake = due_in(app, watch.row.as_ref()).map_or(until, |due| until.min(Instant::now() + due));
        tokio::select! {
            () = watch.waiter.changed(have) => {}
            () = tokio::time::sleep_until(wake) => {}
            () = app.stopping.cancelled() => {}
        }
        if app.stopping.is_cancelled() {
            continue;
        }
        if Instant::now() < until || from_memory(app, agent, watch.id, have).is_none() {
            still_good(app, agent).await?;
            watch.row = Some(read(app, agent, watch.id).await?);
        }
    }
}

/// A token may have been taken back while its agent slept.
pub async fn still_good(app: &App, agent: &Agent) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let live = store::tokens::is_live(&mut conn, agent.token_id(), now).await?;
    if live { Ok(()) } else { Err(Error::unauthenticated()) }
}

/// Whether a row is an answer already: another version than the one known, or without one, a final one.
fn news(row: &Row, known: Option<i32>) -> bool {
    match known {
        Some(known) => row.version != known,
        None => !row.is_pending(),
    }
}

/// How long until a pending row is over.
fn due_in(app: &App, row: Option<&Row>) -> Option<Duration> {
    let end: DateTime<Utc> = row?.expires_at?;
    // A little later than the edge, so that the database's clock has passed it too.
    (end + TimeDelta::milliseconds(20) - app.clock.now()).to_std().ok()
}

fn from_memory(app: &App, agent: &Agent, id: Uuid, known: i32) -> Option<Known> {
    let now = app.clock.now();
    let fresh = app.hub.fresh(now.timestamp_micros());
    app.hub.versions.unchanged(id, known, agent.lane().id, now).filter(|_| fresh)
}

/// Reads the proposal if it is of the agent's lane, closing it first when its time is over.
async fn read(app: &App, agent: &Agent, id: Uuid) -> Result<Row> {
    let mut row = find(app, agent, id).await?;
    if row.is_pending() && row.expires_at.is_some_and(|end| app.clock.now() >= end) {
        // Whoever closes it, this call or another at the same moment: what counts is what is there after.
        expire::expire(app, id).await?;
        row = find(app, agent, id).await?;
    }
    let is_final = !row.is_pending();
    let until = row.expires_at.filter(|_| !is_final);
    app.hub.versions.read(id, row.version, Known { lane: row.lane_id, until, is_final });
    Ok(row)
}

async fn find(app: &App, agent: &Agent, id: Uuid) -> Result<Row> {
    let mut conn = app.db.acquire().await?;
    let found = store::proposals::find(&mut conn, id).await?;
    drop(conn);
    match found {
        Some(row) if row.lane_id == agent.lane().id => Ok(row),
        other => Err(cross::refuse(app, agent, id, other.is_some()).await),
    }
}

/// The asking agent has the final answer in hand: noted afterwards, once.
fn note_collected(app: &App, agent: &Agent, row: &Row) {
    let is_final = !row.is_pending();
    if is_final && row.agent_id == Some(agent.id()) && row.collected_at.is_none() {
        app.receipt(row.id, Step::Collected, agent.actor().to_string());
    }
}
