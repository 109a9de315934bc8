//! Telling: long polls that sleep in memory, the journal's tail, and the frames that sockets forward.

pub mod bearers;
pub mod frame;
pub mod refusals;
pub mod tail;
pub mod versions;
pub mod waiters;

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, broadcast};
use uuid::Uuid;

use bearers::Bearers;
use frame::{Cursor, Frame};
use versions::Versions;
use waiters::Waiters;

/// How many frames a socket may lag behind before it is told to start over.
const FRAMES: usize = 1024;
/// How far the tail may lag before memory answers nothing, in microseconds.
const LAG_MAX_US: i64 = 2_000_000;

/// The one place that tells others what a flow has committed.
#[derive(Debug)]
pub struct Hub {
    /// Sleeping long polls, by proposal.
    pub waiters: Waiters,
    /// Versions that answer an unchanged long poll.
    pub versions: Versions,
    /// Agent tokens that were good a moment ago.
    pub bearers: Bearers,
    frames: broadcast::Sender<Arc<Frame>>,
    poke: Notify,
    bell: Notify,
    tail_read_us: AtomicI64,
    position: Mutex<Cursor>,
    sockets: AtomicUsize,
}

/// One open socket, counted until it is dropped.
#[derive(Debug)]
pub struct OpenSocket<'a>(&'a AtomicUsize);

impl Drop for OpenSocket<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Hub {
    fn default() -> Self {
        let (frames, _) = broadcast::channel(FRAMES);
        Self {
            waiters: Waiters::default(),
            versions: Versions::default(),
            bearers: Bearers::default(),
            frames,
            poke: Notify::new(),
            bell: Notify::new(),
            tail_read_us: AtomicI64::new(i64::MIN),
            position: Mutex::new(Cursor::default()),
            sockets: AtomicUsize::new(0),
        }
    }
}

impl Hub {
    /// After a commit: wakes the proposal's waiters here, and the tails of this and other replicas.
    pub fn tell(&self, proposal: Uuid, version: i32) {
        self.versions.told(proposal, version);
        self.waiters.wake(proposal, version);
        self.poke();
    }

    /// After a commit that is about no proposal: wakes the tails of this and other replicas.
    pub fn poke(&self) {
        self.poke.notify_one();
        self.bell.notify_one();
    }

    /// Wakes this replica's tail alone: another replica has committed.
    pub fn wake_tail(&self) {
        self.poke.notify_one();
    }

    /// Sleeps until the next poke. One permit is kept, so a poke before the call is not lost.
    pub async fn poked(&self) {
        self.poke.notified().await;
    }

    /// Sleeps until there is something that other replicas should hear of.
    pub async fn bell_wanted(&self) {
        self.bell.notified().await;
    }

    /// A new socket's view of the frames from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Arc<Frame>> {
        self.frames.subscribe()
    }

    /// Sends a frame to every socket of this replica (the tail alone calls this).
    pub fn publish(&self, frame: Frame) {
        if let (Some(proposal), Some(version)) = (frame.proposal_id, frame.version) {
            self.versions.told(proposal, version);
            self.waiters.wake(proposal, version);
        }
        // No receiver is no fault: nobody has a page open.
        let _ = self.frames.send(Arc::new(frame));
    }

    /// Counts a socket for as long as the answer lives.
    pub fn socket_open(&self) -> OpenSocket<'_> {
        self.sockets.fetch_add(1, Ordering::Relaxed);
        OpenSocket(&self.sockets)
    }

    /// How many sockets are open on this replica.
    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    /// The tail's position: what a page that is read now has seen at least.
    pub fn position(&self) -> Cursor {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how far the tail has read.
    pub fn moved_to(&self, cursor: Cursor) {
        *self.position.lock().unwrap_or_else(PoisonError::into_inner) = cursor;
    }

    /// Notes that the tail has read everything it may see, at `now_us` of the machine's clock.
    pub fn tail_caught_up(&self, now_us: i64) {
        self.tail_read_us.store(now_us, Ordering::Relaxed);
    }

    /// Whether what this replica remembers may be used as an answer.
    pub fn fresh(&self, now_us: i64) -> bool {
        now_us.saturating_sub(self.tail_read_us.load(Ordering::Relaxed)) < LAG_MAX_US
    }
}
