//! Telling the server how each pane stands: at once when that changes, and every ten seconds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use tracing::warn;

use super::ask::session;
use super::client::{Shared, Watched};
use super::server::Trouble;
use super::tracker::Standing;
use crate::domain::screen::Status;

/// The server takes a pane for unknown after thirty seconds without a word (contract, section 4).
const EVERY: Duration = Duration::from_secs(10);
/// How often it is looked whether somebody's ten seconds are over.
const LOOK: Duration = Duration::from_secs(1);

/// The body of `PUT /api/v1/panes/{key}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own on the wire")]
struct PaneBody {
    lane: String,
    agent_kind: &'static str,
    session_id: String,
    status: Status,
    safe_to_type: bool,
    awaiting_input: bool,
    ended_turn: bool,
    limit: bool,
    /// It would be watched only; this client types wherever it watches.
    external: bool,
    quiet_since: Option<DateTime<Utc>>,
    last_activity_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_tail: Option<TailBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<String>,
    client: ClientBody,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct TailBody {
    text: String,
    clipped: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ClientBody {
    version: &'static str,
    host: String,
}

/// What was told of a pane last.
struct Told {
    standing: Standing,
    drift: Option<String>,
    at: Instant,
}

/// Reports until the client stops.
pub(super) async fn report(shared: &Arc<Shared>) {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let mut told: BTreeMap<String, Told> = BTreeMap::new();
    loop {
        let due = due(shared, &told, &host);
        told.retain(|key, _| shared.panes().contains_key(key));
        shared.book.panes(shared);
        for (key, body, standing) in due {
            let asks = shared.book.asks();
            match shared.server.put_pane(&key, &body).await {
                Ok(()) => {
                    shared.book.connected(asks);
                    told.insert(key, Told { standing, drift: body.drift, at: Instant::now() });
                }
                Err(Trouble::Away(why)) => {
                    shared.book.away(&why);
                    break;
                }
                Err(refused) => {
                    warn!(pane = key, "how a pane stands was not taken: {refused}");
                    shared.book.refused(&key, &refused.to_string());
                    told.insert(key, Told { standing, drift: body.drift, at: Instant::now() });
                }
            }
        }
        tokio::select! {
            () = shared.stirred.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

fn due(shared: &Shared, told: &BTreeMap<String, Told>, host: &str) -> Vec<(String, PaneBody, Standing)> {
    let panes = shared.panes();
    let is_due = |key: &String, watched: &Watched| {
        told.get(key).is_none_or(|told| {
            told.standing != *watched.tracker.standing() || told.drift != watched.drift || told.at.elapsed() >= EVERY
        })
    };
    let due = panes.iter().filter(|(key, watched)| is_due(key, watched));
    due.map(|(key, watched)| (key.clone(), body(shared, watched, host), watched.tracker.standing().clone())).collect()
}

fn body(shared: &Shared, watched: &Watched, host: &str) -> PaneBody {
    let standing = watched.tracker.standing();
    let since = watched.tracker.quiet_since().map(|since| {
        let passed = TimeDelta::from_std(since.elapsed()).unwrap_or_default();
        shared.clock.now() - passed
    });
    let tail = standing.tail.as_ref().filter(|_| standing.ended_turn);
    PaneBody {
        lane: watched.lane.name.clone(),
        agent_kind: watched.agent.as_str(),
        session_id: session(&watched.pane.identity),
        status: standing.status,
        safe_to_type: standing.safe_to_type,
        awaiting_input: standing.awaiting_input,
        ended_turn: standing.ended_turn,
        limit: standing.limit,
        external: false,
        quiet_since: since,
        last_activity_at: since,
        turn_tail: tail.map(|tail| TailBody { text: tail.text.clone(), clipped: tail.clipped }),
        drift: watched.drift.clone(),
        client: ClientBody { version: env!("CARGO_PKG_VERSION"), host: host.to_owned() },
    }
}
