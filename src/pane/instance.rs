//! One dialog, from the second look that shows it to the first that does not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::digest::ScreenDigest;
use super::discover::Lane;
use super::tracker::Gone;
use super::wire::Posted;
use crate::domain::facts::PaneIdentity;
use crate::domain::screen::{AgentKind, Found};

/// A dialog that is open, and what came of reporting it.
pub struct Instance {
    /// Its id, new for each time it is seen.
    pub id: Uuid,
    /// What was seen.
    pub seen: Seen,
    /// Raised when it has ended.
    pub ended: CancellationToken,
    /// Raised when it is worth reporting again: an order came to an end.
    pub again: Notify,
    answered: Mutex<Option<Answered>>,
    gone: OnceLock<Gone>,
    /// Raised when the server has said something of it.
    told: Notify,
    sent: AtomicBool,
    void: AtomicBool,
    /// Whoever carries out an order for it holds this until the server has heard what became of it; its end is told after.
    pub acting: tokio::sync::Mutex<()>,
}

/// What the server was told and said.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The server's answer.
    pub posted: Posted,
    /// The digest of the facts that went with the dialog it stands for.
    pub facts: String,
}

/// A dialog as it was seen.
pub struct Seen {
    /// The pane's key.
    pub key: String,
    /// The lane.
    pub lane: Lane,
    /// The program that asks.
    pub agent: AgentKind,
    /// The pane, as it was then.
    pub pane: PaneIdentity,
    /// Its terminal, by which its processes are found.
    pub tty: String,
    /// The dialog.
    pub found: Found,
    /// Its name.
    pub screen: ScreenDigest,
    /// The screen in plain text.
    pub excerpt: String,
}

impl Instance {
    /// A dialog that was just seen for the second time.
    pub fn new(id: Uuid, seen: Seen) -> Self {
        Self {
            id,
            seen,
            ended: CancellationToken::new(),
            again: Notify::new(),
            answered: Mutex::default(),
            gone: OnceLock::new(),
            told: Notify::new(),
            sent: AtomicBool::new(false),
            void: AtomicBool::new(false),
            acting: tokio::sync::Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Answered>> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the server said of it.
    pub fn answered(&self) -> Option<Answered> {
        self.lock().clone()
    }

    /// The same, once it is of the proposal that was decided: its order may be here before the answer to the report, and
    /// the server may have asked anew about the same dialog, with facts that only another report brings. Nothing when the
    /// dialog ends first, or when another report did not bring it either.
    pub async fn heard(&self, decided: Option<Uuid>) -> Option<Answered> {
        let mut asked = false;
        loop {
            let told = self.told.notified();
            match self.answered() {
                Some(answered) if Some(answered.posted.id) == decided => return Some(answered),
                Some(_) if asked => return None,
                Some(_) => {
                    asked = true;
                    self.again.notify_one();
                }
                None => {}
            }
            tokio::select! {
                () = told => {}
                () = self.ended.cancelled() => return None,
            }
        }
    }

    /// Takes in what the server said. Facts are those of the dialog that stands: a later report of the same one brings none.
    pub fn take(&self, posted: Posted, facts: String) {
        let mut answered = self.lock();
        let facts = match answered.as_ref() {
            Some(before) if before.posted.id == posted.id => before.facts.clone(),
            _ => facts,
        };
        *answered = Some(Answered { posted, facts });
        self.told.notify_waiters();
    }

    /// It has ended; the first word about how stands.
    pub fn end(&self, how: Gone) {
        self.gone.get_or_init(|| how);
        self.ended.cancel();
    }

    /// How it ended.
    pub fn gone(&self) -> Option<Gone> {
        self.gone.get().copied()
    }

    /// Whether our own key has answered it.
    pub fn is_sent(&self) -> bool {
        self.sent.load(Ordering::SeqCst)
    }

    /// Whether what was decided is void, because something about it was no longer as it was.
    pub fn is_void(&self) -> bool {
        self.void.load(Ordering::SeqCst)
    }

    /// What was decided is void.
    pub fn set_void(&self) {
        self.void.store(true, Ordering::SeqCst);
    }

    /// Our own key has answered it.
    pub fn set_sent(&self) {
        self.sent.store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::screen::{Screen, read};
    use crate::pane::digest::digest;

    const SCREEN: &str = include_str!("../../tests/fixtures/panes/claude_bash_two_options.txt");

    fn instance() -> Arc<Instance> {
        let (server, id, command) = ("1:2".into(), "%3".into(), "claude".into());
        let pane = PaneIdentity { server, id, pid: 7, command, cols: 80, rows: 24 };
        let found = read(AgentKind::Claude, &Screen::plain(SCREEN, 80)).dialog.unwrap();
        let lane = Lane { name: "api".into(), worktree: "/srv/api".into(), repo: "/srv/shop".into() };
        let seen = Seen {
            key: "main.3".into(),
            lane,
            agent: AgentKind::Claude,
            tty: String::new(),
            screen: digest(AgentKind::Claude, &pane, &found),
            pane,
            found,
            excerpt: String::new(),
        };
        Arc::new(Instance::new(Uuid::from_u128(1), seen))
    }

    fn posted(id: u128) -> Posted {
        let (class, verdict) = ("command_exec".into(), "hold".into());
        Posted { id: Uuid::from_u128(id), class, verdict, digest: "d".into() }
    }

    /// What is heard of a proposal while the server answers two reports like this.
    async fn hears(decided: u128, first: u128, second: u128) -> Option<String> {
        let instance = instance();
        let waits = instance.clone();
        let heard = tokio::spawn(async move { waits.heard(Some(Uuid::from_u128(decided))).await });
        tokio::task::yield_now().await;
        instance.take(posted(first), "old facts".into());
        if decided != first {
            // It asks for another report, once.
            instance.again.notified().await;
            instance.take(posted(second), "new facts".into());
        }
        heard.await.unwrap().map(|answered| answered.facts)
    }

    #[tokio::test]
    async fn an_order_is_checked_against_the_facts_of_its_own_proposal() {
        assert_eq!(hears(5, 5, 5).await.as_deref(), Some("old facts"));
        assert_eq!(hears(6, 5, 6).await.as_deref(), Some("new facts"));
        assert_eq!(hears(6, 5, 5).await, None);
        let instance = instance();
        instance.end(Gone::Vanished);
        assert!(instance.heard(Some(Uuid::from_u128(5))).await.is_none());
    }
}
