//! The tail: reads the journal behind its cursor and turns rows into frames. The only thing that feeds sockets.
//!
//! A poke (a commit here), a bell (a commit elsewhere) and a timer wake it; each is enough by itself.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Hub;
use super::frame::{Cursor, Frame};
use crate::domain::event::EventKind;
use crate::store;
use crate::store::tail::TailRow;

/// How long the tail sleeps when nobody wakes it.
const TIMER: Duration = Duration::from_millis(500);
/// How soon tail and bell may move again: a burst of commits is one read and one ring, a lone commit waits for neither.
const PACE: Duration = Duration::from_millis(10);
/// So old may a row be, in seconds, that the tail may not read yet, before what this replica remembers is doubted.
const LAG: f64 = 2.0;
/// How many rows one read takes.
const PAGE: i64 = 1_000;
/// The channel of the bell.
const CHANNEL: &str = "countersign";

/// What the tail needs.
pub struct Tail<'a> {
    /// Whom it tells.
    pub hub: &'a Hub,
    /// Where it reads.
    pub db: &'a PgPool,
    /// The machine's time, for the hub's freshness.
    pub now: &'a (dyn Fn() -> DateTime<Utc> + Sync),
    /// Called when the local settings have changed.
    pub settings_changed: &'a (dyn Fn() + Sync),
    /// Called when the policy has changed.
    pub policy_changed: &'a (dyn Fn() + Sync),
    /// Ends the run.
    pub stopping: &'a CancellationToken,
}

impl Tail<'_> {
    /// Runs from the journal's end of now until the server stops. Faults of the database are waited out.
    pub async fn run(&self) {
        let mut cursor = self.start().await;
        self.hub.moved_to(cursor);
        loop {
            let began = (self.now)().timestamp_micros();
            match self.drain(&mut cursor).await {
                Ok(true) => self.hub.tail_caught_up(began),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the journal's tail cannot be read");
                    sleep(TIMER).await;
                }
            }
            let wake = async {
                sleep(PACE).await;
                timeout(TIMER, self.hub.poked()).await.is_ok()
            };
            tokio::select! {
                () = self.stopping.cancelled() => return,
                _ = wake => {}
            }
        }
    }

    /// Waits for the first position. Nothing is served from memory before it is known.
    async fn start(&self) -> Cursor {
        loop {
            let end = async {
                let mut conn = self.db.acquire().await?;
                store::tail::end(&mut conn).await
            };
            match end.await {
                Ok(end) => return Cursor { epoch: end.epoch, xid: end.xid.parse().unwrap_or(0), id: end.id },
                Err(error) => tracing::warn!(%error, "the journal's end cannot be read"),
            }
            if self.stopping.is_cancelled() {
                return Cursor::default();
            }
            sleep(TIMER).await;
        }
    }

    /// Reads and tells everything behind the cursor; false when an old writer somewhere holds back more.
    async fn drain(&self, cursor: &mut Cursor) -> sqlx::Result<bool> {
        let mut told = false;
        loop {
            let mut conn = self.db.acquire().await?;
            let at = (cursor.epoch, &*cursor.xid.to_string(), cursor.id);
            let rows = store::tail::behind(&mut conn, at, PAGE).await?;
            told |= !rows.is_empty();
            if !told {
                // Nothing to read is either nothing written, or nothing that may be read yet.
                return Ok(store::tail::lag_seconds(&mut conn).await?.is_none_or(|lag| lag < LAG));
            }
            drop(conn);
            let full = i64::try_from(rows.len()).is_ok_and(|n| n == PAGE);
            for row in rows {
                *cursor = cursor_of(&row);
                self.tell(row);
                self.hub.moved_to(*cursor);
            }
            if !full {
                return Ok(true);
            }
        }
    }

    fn tell(&self, row: TailRow) {
        // Whatever became of a dialog on another server, its client may have an order now.
        if let Some(client) = row.pane_client_id {
            self.hub.waiters.stir(client);
        }
        let kind = EventKind::from_word(&row.kind);
        match kind {
            Some(kind) if kind.of_ticket() => self.stir_ticket(row.payload.as_ref()),
            Some(EventKind::TokenRevoked | EventKind::AgentRemoved | EventKind::LaneRemoved) => {
                self.hub.bearers.clear();
            }
            Some(EventKind::SettingsChanged) => (self.settings_changed)(),
            Some(EventKind::SupervisionChanged) => (self.policy_changed)(),
            Some(EventKind::InstanceRestored) => {
                self.hub.bearers.clear();
                self.hub.versions.clear();
                self.hub.waiters.wake_all();
            }
            _ => {}
        }
        if kind.is_some_and(EventKind::told) {
            self.hub.publish(frame(row));
        }
    }

    /// Wakes whoever waits for a ticket, and for the question that the row is about.
    fn stir_ticket(&self, payload: Option<&serde_json::Value>) {
        let named = |member: &str| payload?.get(member)?.as_str()?.parse().ok();
        for subject in ["ticket", "turn"].into_iter().filter_map(named) {
            self.hub.waiters.stir(subject);
        }
    }
}

/// The position behind a row.
pub fn cursor_of(row: &TailRow) -> Cursor {
    Cursor { epoch: row.epoch, xid: row.xid.parse().unwrap_or(u64::MAX), id: row.id }
}

/// A row as sockets are told it.
pub fn frame(row: TailRow) -> Frame {
    Frame {
        cursor: cursor_of(&row),
        data: told_data(&row.kind, row.payload),
        kind: row.kind,
        at: row.at,
        proposal_id: row.proposal_id,
        version: row.version,
        lane: row.lane,
        place: row.project_id.zip(row.lane_id),
        class: row.class,
        risk: row.risk,
        agent_id: row.agent_id,
        text: OnceLock::new(),
    }
}

/// What of a payload goes to sockets: all but which session it was, which is for the journal. Of a policy only its
/// number: what it says of a lane is for those who may read that lane, and they ask. Never a screen, which may show anything.
fn told_data(kind: &str, payload: Option<serde_json::Value>) -> serde_json::Value {
    let mut data = payload.unwrap_or_else(|| serde_json::json!({}));
    if let Some(members) = data.as_object_mut() {
        members.remove("session");
        members.remove("pane_excerpt");
        if kind == EventKind::SupervisionChanged.as_str() {
            members.retain(|name, _| name == "version");
        }
    }
    data
}

/// Rings the bell for other replicas: after a poke, on a connection of its own, one at a time, so that bursts coalesce.
pub async fn ring_bell(hub: &Hub, db: &PgPool, stopping: &CancellationToken) {
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            () = hub.bell_wanted() => {}
        }
        let rung = async {
            let mut conn = db.acquire().await?;
            store::tail::ring(&mut conn).await
        };
        if let Err(error) = rung.await {
            // The other replicas' timers find the rows half a second later.
            tracing::debug!(%error, "the bell could not be rung");
        }
        if stopping.run_until_cancelled(sleep(PACE)).await.is_none() {
            return;
        }
    }
}

/// Hears the bell of other replicas. What was rung while the connection was away is found by the tail at once after.
pub async fn hear_bell(hub: &Hub, db: &PgPool, stopping: &CancellationToken) {
    while !stopping.is_cancelled() {
        let listening = Instant::now();
        if let Err(error) = listen(hub, db, stopping).await {
            tracing::debug!(%error, "the bell cannot be heard");
        }
        hub.wake_tail();
        if listening.elapsed() < TIMER {
            sleep(TIMER).await;
        }
    }
}

async fn listen(hub: &Hub, db: &PgPool, stopping: &CancellationToken) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(db).await?;
    listener.listen(CHANNEL).await?;
    hub.wake_tail();
    loop {
        tokio::select! {
            () = stopping.cancelled() => return Ok(()),
            heard = listener.try_recv() => {
                // None: the connection was lost and is back, and notifications may have been missed meanwhile.
                let _ = heard?;
                hub.wake_tail();
            }
        }
    }
}
