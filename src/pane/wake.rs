//! Wakes the poll early: a client of tmux that only listens says which panes printed something.
//!
//! What it hears is never read for what it says: the poll looks, this only says when. Without it everything still works,
//! a second later. That is so where a child cannot be made to end with this process: a listener left behind would hold
//! the agents.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

use super::backoff::Backoff;
use super::tmux::{Tmux, TmuxError, is_pane_id};
use crate::parent_death;

/// A pane that has been quiet so long is painted; it is looked at now.
const QUIET: Duration = Duration::from_millis(100);
/// A pane that never is quiet, because something turns in it, is looked at so often.
const AT_LEAST: Duration = Duration::from_secs(1);
/// How long to wait after a listener ended: some releases of tmux turn every new one away until they are restarted.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// A listener that lasted so long was a good one.
const GOOD: Duration = Duration::from_secs(30);

/// Listens to sessions for as long as it lives.
#[derive(Debug)]
pub struct Wake {
    sessions: watch::Sender<BTreeSet<String>>,
    task: JoinHandle<()>,
}

impl Wake {
    /// Starts; ids of panes that printed something, or entered or left a mode, go to `woken`. What does not fit is
    /// dropped, for the poll comes anyway.
    pub fn new(tmux: Tmux, woken: mpsc::Sender<String>) -> Self {
        let (sessions, wanted) = watch::channel(BTreeSet::new());
        Self { sessions, task: tokio::spawn(listen_to_all(tmux, woken, wanted)) }
    }

    /// The sessions to listen to from now on.
    pub fn follow(&self, sessions: BTreeSet<String>) {
        self.sessions.send_if_modified(|old| {
            let changed = *old != sessions;
            *old = sessions;
            changed
        });
    }
}

impl Drop for Wake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen_to_all(tmux: Tmux, woken: mpsc::Sender<String>, mut wanted: watch::Receiver<BTreeSet<String>>) {
    let mut listeners = JoinSet::new();
    let mut by_session = HashMap::new();
    loop {
        let sessions = wanted.borrow_and_update().clone();
        by_session.retain(|session, listener: &mut AbortHandle| {
            let stays = sessions.contains(session);
            if !stays {
                listener.abort();
            }
            stays
        });
        for session in sessions.into_iter().filter(|_| parent_death::CAN) {
            let task = keep_listening(tmux.clone(), session.clone(), woken.clone());
            by_session.entry(session).or_insert_with(|| listeners.spawn(task));
        }
        if wanted.changed().await.is_err() {
            return;
        }
    }
}

async fn keep_listening(tmux: Tmux, session: String, woken: mpsc::Sender<String>) {
    let fresh = || Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
    let mut backoff = fresh();
    while !woken.is_closed() {
        let began = Instant::now();
        if let Err(error) = listen(&tmux, &session, &woken).await {
            tracing::debug!(%error, session, "not listening");
        }
        if began.elapsed() >= GOOD {
            backoff = fresh();
        }
        sleep(backoff.next()).await;
    }
}

/// Listens until tmux ends it.
async fn listen(tmux: &Tmux, session: &str, woken: &mpsc::Sender<String>) -> Result<(), TmuxError> {
    // It would end with us, or live on because of us.
    if tmux.ends_unattended(session).await? {
        return Ok(());
    }
    let mut child = tmux.listen(session)?;
    // Its end would be the client's end.
    let _stdin = child.stdin.take();
    let Some(stdout) = child.stdout.take() else { return Ok(()) };
    let mut lines = BufReader::with_capacity(64 << 10, stdout);
    let (mut line, mut due) = (Vec::new(), Due::default());
    loop {
        tokio::select! {
            read = lines.read_until(b'\n', &mut line) => {
                let read = read.map_err(|error| TmuxError::Failed(error.to_string()))?;
                if read == 0 || line.starts_with(b"%exit") {
                    return Ok(());
                }
                if let Some(pane) = pane_of(&line) {
                    due.printed(pane, Instant::now());
                }
                line.clear();
            }
            () = due.next() => {
                for pane in due.take(Instant::now()) {
                    // Full: the poll is behind, and will look at everything.
                    let _ = woken.try_send(pane);
                }
            }
        }
    }
}

/// The pane that a line of control mode is about.
fn pane_of(line: &[u8]) -> Option<&str> {
    let mut words = line.splitn(3, u8::is_ascii_whitespace);
    let kind = words.next()?;
    let pane = std::str::from_utf8(words.next()?).ok()?;
    matches!(kind, b"%output" | b"%extended-output" | b"%pane-mode-changed").then_some(pane).filter(|id| is_pane_id(id))
}

/// When panes that printed are to be looked at.
#[derive(Debug, Default)]
struct Due(BTreeMap<String, (Instant, Instant)>);

impl Due {
    fn printed(&mut self, pane: &str, now: Instant) {
        match self.0.get_mut(pane) {
            Some((quiet, latest)) => *quiet = (now + QUIET).min(*latest),
            None => {
                self.0.insert(pane.to_owned(), (now + QUIET, now + AT_LEAST));
            }
        }
    }

    async fn next(&self) {
        match self.0.values().map(|(quiet, _)| *quiet).min() {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    fn take(&mut self, now: Instant) -> Vec<String> {
        let ready: Vec<String> =
            self.0.iter().filter(|(_, (quiet, _))| *quiet <= now).map(|(pane, _)| pane.clone()).collect();
        self.0.retain(|_, (quiet, _)| *quiet > now);
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_their_pane() {
        for (line, pane) in [
            ("%output %12 \\033[1mhi", Some("%12")),
            ("%pane-mode-changed %3", Some("%3")),
            ("%extended-output %4 120 : x", Some("%4")),
            ("%output", None),
            ("%output %x y", None),
            ("%window-add @1", None),
            ("%begin 1 2 0", None),
            ("", None),
        ] {
            assert_eq!(pane_of(line.as_bytes()), pane, "{line}");
            assert_eq!(pane_of(format!("{line}\n").as_bytes()), pane, "{line}");
        }
    }

    #[test]
    fn a_burst_is_one_wake_and_a_spinner_one_a_second() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut due = Due::default();
        for ms in (0..=300).step_by(20) {
            assert!(due.take(at(ms)).is_empty());
            due.printed("%1", at(ms));
        }
        assert_eq!(due.take(at(410)), ["%1"]);
        assert!(due.take(at(2000)).is_empty());
        let wakes = (2000..5000).step_by(50).filter(|ms| {
            due.printed("%2", at(*ms));
            !due.take(at(*ms)).is_empty()
        });
        assert_eq!(wakes.count(), 2);
    }
}
