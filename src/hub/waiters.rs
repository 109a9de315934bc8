//! Long polls asleep in memory: registering costs no database work, and dropping a request removes its waiter.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use uuid::Uuid;

/// What a proposal's waiters hear of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct News {
    /// The newest version told.
    version: i32,
    /// How often everybody was woken.
    alarms: u32,
}

/// All sleeping long polls of this replica, by proposal.
#[derive(Debug, Default)]
pub struct Waiters {
    map: Mutex<HashMap<Uuid, watch::Sender<News>>>,
}

/// One sleeping long poll; dropping it forgets it.
#[derive(Debug)]
pub struct Waiter<'a> {
    waiters: &'a Waiters,
    proposal: Uuid,
    versions: Option<watch::Receiver<News>>,
}

impl Waiters {
    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, watch::Sender<News>>> {
        // The map is whole between statements, so a panic elsewhere while it was held left nothing half done.
        self.map.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers first; the caller then reads the proposal once, and sleeps if it is unchanged.
    pub fn register(&self, proposal: Uuid) -> Waiter<'_> {
        let versions = self.lock().entry(proposal).or_insert_with(|| watch::Sender::new(News::default())).subscribe();
        Waiter { waiters: self, proposal, versions: Some(versions) }
    }

    /// Wakes those who wait for the proposal to get past a version below `version`.
    pub fn wake(&self, proposal: Uuid, version: i32) {
        if let Some(sender) = self.lock().get(&proposal) {
            sender.send_if_modified(|seen| {
                let newer = version > seen.version;
                seen.version = version.max(seen.version);
                newer
            });
        }
    }

    /// Wakes those who wait for something that has no versions: a client for its orders, somebody for an order's outcome.
    pub fn stir(&self, subject: Uuid) {
        if let Some(sender) = self.lock().get(&subject) {
            sender.send_modify(|_| ());
        }
    }

    /// Wakes everybody: the server is stopping, or memory can no longer be trusted.
    pub fn wake_all(&self) {
        for sender in self.lock().values() {
            sender.send_modify(|news| news.alarms = news.alarms.wrapping_add(1));
        }
    }

    /// How many proposals are waited for, and how many long polls sleep.
    pub fn count(&self) -> (usize, usize) {
        let map = self.lock();
        (map.len(), map.values().map(watch::Sender::receiver_count).sum())
    }
}

impl Waiter<'_> {
    /// Sleeps until a version above `known` is told, or somebody wakes all.
    pub async fn changed(&mut self, known: i32) {
        let Some(versions) = &mut self.versions else { return };
        let alarms = versions.borrow().alarms;
        // An error means that the sender is gone, which it cannot be while this receiver lives.
        let _ = versions.wait_for(|news| news.version > known || news.alarms != alarms).await;
    }
}

impl Waiter<'_> {
    /// Sleeps until anything was told since it was registered, or since this last returned.
    pub async fn stirred(&mut self) {
        let Some(versions) = &mut self.versions else { return };
        // An error means that the sender is gone, which it cannot be while this receiver lives.
        let _ = versions.changed().await;
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        // The receiver goes first, under the lock, so that the last one to leave sees a count of zero.
        let mut map = self.waiters.lock();
        self.versions = None;
        if map.get(&self.proposal).is_some_and(|sender| sender.receiver_count() == 0) {
            map.remove(&self.proposal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_waiter_hears_of_newer_versions_only_and_leaves_nothing_behind() {
        let waiters = Waiters::default();
        let id = Uuid::from_u128(1);
        let mut first = waiters.register(id);
        let second = waiters.register(id);
        assert_eq!(waiters.count(), (1, 2));
        waiters.wake(id, 2);
        first.changed(1).await;
        waiters.wake(Uuid::from_u128(2), 9);
        let asleep = tokio::time::timeout(std::time::Duration::from_millis(20), first.changed(2)).await;
        assert!(asleep.is_err(), "version 2 is not news to somebody who knows 2");
        drop(first);
        drop(second);
        assert_eq!(waiters.count(), (0, 0));
    }
}
