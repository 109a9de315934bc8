//! The client as a whole: what its parts share, and the three that run side by side.
//!
//! The path of a dialog: `watch` sees it twice → `ask` reports it with facts → the server
//! judges → `act` takes the order and sends one key → the server hears what became of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::backoff::Backoff;
use super::discover::{Assigned, Lane};
use super::instance::Instance;
use super::server::{Server, Trouble};
use super::started::Started;
use super::status::Book;
use super::tmux::{Pane, Tmux};
use super::tracker::{Gone, Tracker};
use super::{act, report, watch};
use crate::clock::{Clock, Ids};
use crate::domain::screen::AgentKind;

/// How long an order that was begun may take to be told when the client stops; after that the file of started ones tells.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Which panes are watched.
#[derive(Clone, Debug)]
pub enum Selection {
    /// These.
    Assigned(Vec<Assigned>),
    /// Every pane with an agent whose folder is in a lane's worktree.
    Discover,
}

/// What a client is made of.
pub struct Parts {
    /// The server.
    pub server: Server,
    /// The terminal multiplexer.
    pub tmux: Tmux,
    /// Names the multiplexer's server in the keys of panes.
    pub label: String,
    /// Which panes.
    pub selection: Selection,
    /// Orders that were started.
    pub started: Started,
    /// Where the status goes, for `--status`.
    pub book: PathBuf,
}

/// A pane that is watched.
pub struct Watched {
    /// The lane it belongs to.
    pub lane: Lane,
    /// The program in it.
    pub agent: AgentKind,
    /// The pane, as last seen.
    pub pane: Pane,
    /// What it showed, in time.
    pub tracker: Tracker,
    /// The dialog that is open.
    pub instance: Option<Arc<Instance>>,
    /// Whoever types holds this: one key at a time.
    pub hand: Arc<tokio::sync::Mutex<()>>,
    /// The text that was typed last, and when.
    pub typed: Option<(String, Instant)>,
    /// When it was looked at last.
    pub seen: Instant,
    /// Something at its foot looks like a menu, and no rule knows it.
    pub drift: Option<String>,
}

impl Watched {
    /// A pane that was just found.
    pub(super) fn new(lane: Lane, agent: AgentKind, pane: Pane) -> Self {
        Self {
            lane,
            agent,
            pane,
            tracker: Tracker::default(),
            instance: None,
            hand: Arc::default(),
            typed: None,
            seen: Instant::now(),
            drift: None,
        }
    }
}

/// What the parts share.
pub struct Shared {
    pub(super) server: Server,
    pub(super) tmux: Tmux,
    pub(super) label: String,
    pub(super) selection: Selection,
    pub(super) clock: Clock,
    pub(super) ids: Ids,
    pub(super) book: Book,
    pub(super) stop: CancellationToken,
    /// A pane stands otherwise than before.
    pub(super) stirred: Notify,
    /// Orders that are under way.
    pub(super) orders: TaskTracker,
    started: Mutex<Started>,
    panes: Mutex<BTreeMap<String, Watched>>,
}

impl Shared {
    /// The panes by key. Never held across a wait.
    pub(super) fn panes(&self) -> MutexGuard<'_, BTreeMap<String, Watched>> {
        self.panes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The orders that were started.
    pub(super) fn started(&self) -> MutexGuard<'_, Started> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a dialog that is still there: the next looks take it for another.
    pub(super) fn let_go(&self, instance: &Instance) {
        if let Some(watched) = self.panes().get_mut(&instance.seen.key)
            && watched.instance.take_if(|open| open.id == instance.id).is_some()
        {
            watched.tracker.let_go();
            instance.end(Gone::Changed);
        }
    }

    /// Says something to the server until it has heard it; the error is that it refused.
    pub(super) async fn insist<F>(&self, mut say: impl FnMut() -> F) -> Result<(), Trouble>
    where
        F: Future<Output = Result<(), Trouble>>,
    {
        let mut backoff = Backoff::default();
        loop {
            match say().await {
                Err(Trouble::Away(why)) => self.book.away(&why),
                // The next try is made with another token.
                Err(refused) if refused.is_token() => {}
                end => return end,
            }
            tokio::time::sleep(backoff.next()).await;
        }
    }

    /// The key of a pane: one that a person finds again in `tmux list-panes`.
    pub(super) fn key(&self, pane: &str) -> String {
        format!("{}.{}", self.label, pane.trim_start_matches('%'))
    }
}

/// Runs until it is told to stop; then nothing more is typed. Fails only where going on makes no sense.
pub async fn run(parts: Parts, stop: CancellationToken) -> Result<(), Trouble> {
    let Parts { server, tmux, label, selection, started, book } = parts;
    let shared = Arc::new(Shared {
        book: Book::new(book, server.address()),
        server,
        tmux,
        label,
        selection,
        clock: Clock::default(),
        ids: Ids,
        stop,
        stirred: Notify::new(),
        orders: TaskTracker::new(),
        started: Mutex::new(started),
        panes: Mutex::default(),
    });
    let result = tokio::select! {
        result = watch::watch(&shared) => result,
        result = act::act(&shared) => result,
        () = report::report(&shared) => Ok(()),
        () = shared.stop.cancelled() => Ok(()),
    };
    // What was begun is finished and told; what was not begun is left for the next run.
    shared.stop.cancel();
    shared.orders.close();
    drop(timeout(LAST_WORDS, shared.orders.wait()).await);
    result
}
