//! One dialog, from the second look that shows it to the first that does not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    gone: Mutex<Option<Gone>>,
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
            gone: Mutex::default(),
            told: Notify::new(),
            sent: AtomicBool::new(false),
            void: AtomicBool::new(false),
            acting: tokio::sync::Mutex::default(),
        }
    }

    /// What the server said of it.
    pub fn answered(&self) -> Option<Answered> {
        lock(&self.answered).clone()
    }

    /// The same, once there is an answer: its order may be here before. Nothing when it ends without one.
    pub async fn heard(&self) -> Option<Answered> {
        loop {
            let told = self.told.notified();
            if let Some(answered) = self.answered() {
                return Some(answered);
            }
            tokio::select! {
                () = told => {}
                () = self.ended.cancelled() => return None,
            }
        }
    }

    /// Takes in what the server said. Facts are those of the dialog that stands: a later report of the same one brings none.
    pub fn take(&self, posted: Posted, facts: String) {
        let mut answered = lock(&self.answered);
        let facts = match answered.as_ref() {
            Some(before) if before.posted.id == posted.id => before.facts.clone(),
            _ => facts,
        };
        *answered = Some(Answered { posted, facts });
        self.told.notify_waiters();
    }

    /// It has ended; the first word about how stands.
    pub fn end(&self, how: Gone) {
        lock(&self.gone).get_or_insert(how);
        self.ended.cancel();
    }

    /// How it ended.
    pub fn gone(&self) -> Option<Gone> {
        *lock(&self.gone)
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
    pub fn voided(&self) {
        self.void.store(true, Ordering::SeqCst);
    }

    /// Our own key has answered it.
    pub fn sent(&self) {
        self.sent.store(true, Ordering::SeqCst);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
