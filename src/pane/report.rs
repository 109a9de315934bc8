//! Telling the server how each pane stands: at once when that changes, and every ten seconds.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use tracing::warn;

use super::ask::session;
use super::client::{Shared, Watched};
use super::server::Trouble;
use super::tracker::Standing;
use crate::domain::pane::{ClientInfo, PaneReport, TurnTail};

/// The server takes a pane for unknown after thirty seconds without a word (contract, section 4).
const EVERY: Duration = Duration::from_secs(10);
/// How often it is looked whether somebody's ten seconds are over.
const LOOK: Duration = Duration::from_secs(1);

/// What was told of a pane last.
struct Told {
    session: String,
    lane: String,
    standing: Standing,
    drift: Option<String>,
    at: Instant,
}

impl Told {
    fn now(body: PaneReport, standing: Standing) -> Self {
        let session = body.session_id.unwrap_or_default();
        Self { session, lane: body.lane, standing, drift: body.drift, at: Instant::now() }
    }
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
                    told.insert(key, Told::now(body, standing));
                }
                Err(Trouble::Away(why)) => {
                    shared.book.away(&why);
                    break;
                }
                Err(refused) => {
                    warn!(pane = key, "how a pane stands was not taken: {refused}");
                    shared.book.refused(&key, &refused.to_string());
                    told.insert(key, Told::now(body, standing));
                }
            }
        }
        tokio::select! {
            () = shared.stirred.notified() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

fn due(shared: &Shared, told: &BTreeMap<String, Told>, host: &str) -> Vec<(String, PaneReport, Standing)> {
    let panes = shared.panes();
    let is_due = |key: &String, watched: &Watched| {
        told.get(key).is_none_or(|told| {
            told.session != session(&watched.pane.identity)
                || told.lane != watched.lane.name
                || told.standing != *watched.tracker.standing()
                || told.drift != watched.drift
                || told.at.elapsed() >= EVERY
        })
    };
    let due = panes.iter().filter(|(key, watched)| is_due(key, watched));
    due.map(|(key, watched)| (key.clone(), body(shared, watched, host), watched.tracker.standing().clone())).collect()
}

fn body(shared: &Shared, watched: &Watched, host: &str) -> PaneReport {
    let standing = watched.tracker.standing();
    let since = watched.tracker.quiet_since().map(|since| {
        let passed = TimeDelta::from_std(since.elapsed()).unwrap_or_default();
        shared.clock.now() - passed
    });
    let tail = standing.tail.as_ref().filter(|_| standing.ended_turn);
    PaneReport {
        lane: watched.lane.name.clone(),
        agent_kind: watched.agent.as_str().to_owned(),
        session_id: Some(session(&watched.pane.identity)),
        status: standing.status,
        safe_to_type: standing.safe_to_type,
        awaiting_input: standing.awaiting_input,
        ended_turn: standing.ended_turn,
        limit: standing.limit,
        // It would be watched only; this client types wherever it watches.
        external: false,
        quiet_since: since,
        last_activity_at: since,
        turn_tail: tail.map(|tail| TurnTail { text: tail.text.clone(), clipped: tail.clipped }),
        drift: watched.drift.clone(),
        client: Some(ClientInfo { version: env!("CARGO_PKG_VERSION").to_owned(), host: host.to_owned() }),
    }
}
