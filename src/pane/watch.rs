//! Looking: which panes there are, what each shows, and what follows from it. Nothing here types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;
use tracing::info;

use super::ask;
use super::backoff::Backoff;
use super::client::{Shared, Watched};
use super::digest::{ScreenDigest, digest};
use super::discover::Lane;
use super::frame;
use super::instance::{Instance, Seen};
use super::search::{self, blind, forget, is_agent, is_same_run};
use super::server::Trouble;
use super::tmux::Sight;
use super::tracker::{Change, Look};
use super::wake::Wake;
use crate::domain::pane::DRIFT_MAX;
use crate::domain::screen::{self, Reading};

/// How often every pane is looked at, whatever the wake-up says.
const TICK: Duration = Duration::from_millis(1500);
/// When a pane was seen once with something new: two looks must be at least 150 ms apart.
const SOON: Duration = Duration::from_millis(160);
/// A burst of output is one wake-up.
const BURST: Duration = Duration::from_millis(15);
/// How often panes are searched for.
const SEARCH: Duration = Duration::from_secs(5);
/// How often lanes are asked for again: one may have been added or taken away.
const LANES: Duration = Duration::from_mins(5);

/// What a pane showed last, so that an unchanged one need not be read again.
struct Picture {
    bytes: [u8; 32],
    reading: Reading,
    dialog: Option<ScreenDigest>,
    alive: bool,
}

/// Looks until the client stops. Fails only when the server refuses this client for good.
pub(super) async fn watch(shared: &Arc<Shared>) -> Result<(), Trouble> {
    let mut lanes = lanes(shared).await?;
    let mut asked = Instant::now();
    let (woken, mut wakes) = mpsc::channel(256);
    let wake = Wake::new(shared.tmux.clone(), woken);
    let mut searched: Option<Instant> = None;
    let mut pictures = BTreeMap::new();
    loop {
        if searched.is_none_or(|at| at.elapsed() >= SEARCH) {
            searched = Some(Instant::now());
            if asked.elapsed() >= LANES {
                asked = Instant::now();
                if let Ok(now) = shared.server.sign_in().await {
                    lanes = now;
                }
            }
            search::search(shared, &lanes).await;
            let sessions: BTreeSet<String> =
                shared.panes().values().map(|watched| watched.pane.session.clone()).collect();
            wake.follow(sessions);
        }
        let soon = look(shared, &mut pictures).await;
        tokio::select! {
            () = tokio::time::sleep(if soon { SOON } else { TICK }) => {}
            _ = wakes.recv(), if !soon => {
                tokio::time::sleep(BURST).await;
                while wakes.try_recv().is_ok() {}
            }
        }
    }
}

/// The lanes of this client, as soon as the server is there.
async fn lanes(shared: &Shared) -> Result<Vec<Lane>, Trouble> {
    let mut backoff = Backoff::default();
    loop {
        let asks = shared.book.asks();
        match shared.server.sign_in().await {
            Ok(lanes) => {
                shared.book.connected(asks);
                let names = lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>().join(", ");
                info!("connected to {}, for lanes {names}", shared.server.address());
                return Ok(lanes);
            }
            Err(Trouble::Away(why)) => {
                shared.book.away(&why);
                tokio::time::sleep(backoff.next()).await;
            }
            Err(refused) => return Err(refused),
        }
    }
}

/// Looks at every watched pane once, in one call; true when one has to be looked at again soon.
async fn look(shared: &Arc<Shared>, pictures: &mut BTreeMap<String, Picture>) -> bool {
    let ids: Vec<String> = shared.panes().values().map(|watched| watched.pane.identity.id.clone()).collect();
    if ids.is_empty() {
        return false;
    }
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let sights = match shared.tmux.look(&ids).await {
        Ok(sights) => sights,
        Err(error) => {
            blind(shared, &error);
            return false;
        }
    };
    let at = Instant::now();
    let mut soon = false;
    pictures.retain(|key, _| shared.panes().contains_key(key));
    for sight in sights {
        soon |= take_in(shared, pictures, &sight, at);
    }
    soon
}

fn take_in(shared: &Arc<Shared>, pictures: &mut BTreeMap<String, Picture>, sight: &Sight, at: Instant) -> bool {
    let key = shared.key(&sight.pane.identity.id);
    let mut panes = shared.panes();
    let Some(watched) = panes.get_mut(&key) else { return false };
    if !is_same_run(&sight.pane, &watched.pane) {
        // Another process took its place; the next search looks whose it is.
        drop(panes);
        forget(shared, |watched| watched.pane.identity.id == sight.pane.identity.id);
        return true;
    }
    let bytes = name(sight);
    let known = pictures.get(&key).is_some_and(|picture| picture.bytes == bytes);
    if !known {
        pictures.insert(key.clone(), picture(watched, sight, bytes));
    }
    let Some(picture) = pictures.get(&key) else { return false };
    let before = watched.tracker.standing().clone();
    let look = Look { at, bytes, reading: &picture.reading, dialog: picture.dialog, alive: picture.alive };
    let change = watched.tracker.see(&look, || shared.ids.new_id(shared.clock.now()));
    watched.pane = sight.pane.clone();
    watched.seen = at;
    watched.drift = picture.reading.drift.as_deref().map(|text| text.chars().take(DRIFT_MAX).collect());
    let again = change.again;
    follow(shared, watched, &key, (picture, sight), &change);
    let stirred = *watched.tracker.standing() != before;
    drop(panes);
    if stirred {
        shared.stirred.notify_one();
    }
    again
}

fn picture(watched: &Watched, sight: &Sight, bytes: [u8; 32]) -> Picture {
    let reading = screen::read(watched.agent, &sight.screen());
    let alive = !sight.pane.dead && is_agent(watched.agent, &sight.pane);
    let found = reading.dialog.as_ref().filter(|_| alive);
    let dialog = found.map(|found| digest(watched.agent, &sight.pane.identity, found));
    Picture { bytes, reading, dialog, alive }
}

/// Begins and ends what the look has shown to begin and end.
fn follow(
    shared: &Arc<Shared>,
    watched: &mut Watched,
    key: &str,
    (picture, sight): (&Picture, &Sight),
    change: &Change,
) {
    if let Some((id, how)) = change.ended
        && let Some(instance) = watched.instance.take_if(|instance| instance.id == id)
    {
        instance.end(how);
    }
    let (Some(id), Some(found), Some(screen)) = (change.begun, &picture.reading.dialog, picture.dialog) else { return };
    let seen = Seen {
        key: key.to_owned(),
        lane: watched.lane.clone(),
        agent: watched.agent,
        pane: sight.pane.identity.clone(),
        tty: sight.pane.tty.clone(),
        found: found.clone(),
        screen,
        excerpt: frame::text(&sight.screen()),
    };
    let instance = Arc::new(Instance::new(id, seen));
    watched.instance = Some(instance.clone());
    tokio::spawn(ask::ask(shared.clone(), instance));
}

/// Names everything a look shows, so that two can be compared.
fn name(sight: &Sight) -> [u8; 32] {
    let pane = &sight.pane;
    let mut hash = Sha256::new();
    for part in [pane.identity.command.as_bytes(), &[u8::from(pane.in_mode), u8::from(pane.dead)], &sight.capture] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.update(pane.identity.cols.to_be_bytes());
    hash.update(pane.identity.rows.to_be_bytes());
    hash.finalize().into()
}
