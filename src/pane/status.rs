//! The client's own account of itself: a small file, written anew when it changes, which `countersign pane --status` reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use tracing::{info, warn};

use super::client::Shared;
use crate::clock::Clock;

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The client's process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// The server's address.
    pub server: String,
    /// Since when the server has not answered, and why; nothing while it does.
    pub away: Option<Away>,
    /// Why tmux cannot be read; nothing while it can.
    pub blind: Option<String>,
    /// Which panes of the command line are not watched, and why.
    #[serde(default)]
    pub missing: Vec<String>,
    /// The panes by key.
    pub panes: BTreeMap<String, PaneAccount>,
    /// When this was written.
    pub written_at: DateTime<Utc>,
}

/// A server that does not answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// Since when.
    pub since: DateTime<Utc>,
    /// What was seen.
    pub why: String,
}

/// One pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneAccount {
    /// Its lane.
    pub lane: String,
    /// The program in it.
    pub agent: String,
    /// `idle`, `working`, `blocked` or `unknown`.
    pub status: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// When it was looked at last.
    pub looked_at: DateTime<Utc>,
    /// The dialog that is open there, if the server has it: its verdict and its id.
    pub dialog: Option<String>,
    /// What the last order came to.
    pub last_order: Option<String>,
    /// What the server refused of it last.
    pub refused: Option<String>,
}

/// Keeps the account.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    clock: Clock,
    account: Mutex<Account>,
    /// How many requests the server has not answered.
    unanswered: AtomicU64,
}

/// When a request was made, as far as answers tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked(u64);

impl Book {
    pub(super) fn new(path: PathBuf, server: String) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let account = Account { pid: std::process::id(), version, server, ..Account::default() };
        Self { path, clock: Clock::default(), account: Mutex::new(account), unanswered: AtomicU64::new(0) }
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server does not answer: one line in the log for each time, not for each try.
    pub(super) fn away(&self, why: &str) {
        let mut account = self.account();
        self.unanswered.fetch_add(1, Ordering::Relaxed);
        if account.away.is_none() {
            warn!("the server is away, nothing is typed until it is back: {why}");
            account.away = Some(Away { since: self.clock.now(), why: why.to_owned() });
            drop(account);
            self.write();
        }
    }

    /// A request is about to be made.
    pub(super) fn asks(&self) -> Asked {
        let _account = self.account();
        Asked(self.unanswered.load(Ordering::Relaxed))
    }

    /// The server has answered. An answer to what was asked before another request failed may have been on its way when the
    /// server went, and says nothing of now.
    pub(super) fn connected(&self, asked: Asked) {
        let mut account = self.account();
        let since = Asked(self.unanswered.load(Ordering::Relaxed)) == asked;
        if since && account.away.take().is_some() {
            drop(account);
            info!("the server is back");
            self.write();
        }
    }

    /// tmux cannot be read.
    pub(super) fn blind(&self, why: &str) {
        let mut account = self.account();
        if account.blind.as_deref() != Some(why) {
            warn!("{why}");
            account.blind = Some(why.to_owned());
            drop(account);
            self.write();
        }
    }

    /// These panes of the command line are not watched: a line in the log for each, when it is new.
    pub(super) fn missing(&self, missing: Vec<String>) {
        let mut account = self.account();
        if account.missing == missing {
            return;
        }
        for why in missing.iter().filter(|why| !account.missing.contains(why)) {
            warn!("{why}");
        }
        account.missing = missing;
        drop(account);
        self.write();
    }

    /// tmux can be read.
    pub(super) fn sees(&self) {
        if self.account().blind.take().is_some() {
            self.write();
        }
    }

    /// The server refused something of a pane.
    pub(super) fn refused(&self, key: &str, why: &str) {
        if let Some(pane) = self.account().panes.get_mut(key) {
            pane.refused = Some(why.to_owned());
        }
    }

    /// An order came to its end.
    pub(super) fn acted(&self, key: &str, outcome: &str, reason: &str) {
        if let Some(pane) = self.account().panes.get_mut(key) {
            pane.last_order = Some(format!("{outcome} {reason}").trim_end().to_owned());
        }
    }

    /// A pane is no longer watched.
    pub(super) fn left(&self, key: &str) {
        self.account().panes.remove(key);
    }

    /// Takes in how the panes stand, and writes the file.
    pub(super) fn panes(&self, shared: &Shared) {
        let now = self.clock.now();
        let mut account = self.account();
        for (key, watched) in shared.panes().iter() {
            let status = watched.tracker.standing().status.as_str();
            let before = account.panes.get(key);
            let since = before.filter(|before| before.status == status).map_or(now, |before| before.since);
            let answered = watched.instance.as_ref().and_then(|instance| instance.answered());
            let pane = PaneAccount {
                lane: watched.lane.name.clone(),
                agent: watched.agent.as_str().to_owned(),
                status: status.to_owned(),
                since,
                looked_at: now - chrono::TimeDelta::from_std(watched.seen.elapsed()).unwrap_or_default(),
                dialog: answered.map(|answered| format!("{} {}", answered.posted.verdict, answered.posted.id)),
                last_order: before.and_then(|before| before.last_order.clone()),
                refused: before.and_then(|before| before.refused.clone()),
            };
            account.panes.insert(key.clone(), pane);
        }
        drop(account);
        self.write();
    }

    /// A reader sees the old file or the new one, never half of one. Nothing depends on it, so a full disk is only told.
    fn write(&self) {
        let mut account = self.account();
        account.written_at = self.clock.now();
        let text = serde_json::to_string(&*account).unwrap_or_default();
        let new = self.path.with_extension("new");
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.path));
        if let Err(error) = written {
            tracing::debug!("cannot write {}: {error}", self.path.display());
        }
    }
}

/// Reads the account that a client has left.
pub fn read(path: &Path) -> std::io::Result<Account> {
    let text = std::fs::read(path)?;
    serde_json::from_slice(&text).map_err(std::io::Error::from)
}

/// Whether the client that writes this account runs: it holds the file of its started orders.
pub fn is_running(path: &Path) -> bool {
    let Ok(held) = std::fs::File::open(path.with_extension("started")) else { return false };
    flock(&held, FlockOperation::NonBlockingLockShared).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_was_on_its_way_does_not_end_an_outage() {
        // Where nothing can be written, nothing is: only the account in memory is looked at.
        let book = Book::new(PathBuf::from("/nowhere/account"), "http://127.0.0.1:1".to_owned());
        let before = book.asks();
        book.away("connection refused");
        book.connected(before);
        assert!(book.account().away.is_some(), "it was asked before the server went");
        let between = book.asks();
        book.away("connection refused");
        book.connected(between);
        assert!(book.account().away.is_some());
        book.connected(book.asks());
        assert!(book.account().away.is_none());
    }
}
