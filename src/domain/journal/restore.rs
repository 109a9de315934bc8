//! Telling a restored database from the one that was left behind.

use super::checkpoint::Checkpoint;
use crate::domain::digest::Digest;

/// What a database says about itself at a start.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// The identity of the cluster it runs in.
    pub cluster: &'a str,
    /// The identity noted at the first start; none before it.
    pub noted: Option<&'a str>,
    /// Its epoch.
    pub epoch: i32,
    /// The hash of its block at the height of the furthest checkpoint outside; none when it has no such block.
    pub hash_there: Option<Digest>,
}

/// Why a database is taken for a restored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It runs in another cluster than it was first started in.
    OtherCluster,
    /// Something was signed that it does not have.
    BehindCheckpoint,
}

impl Cause {
    /// The word in the journal.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OtherCluster => "other_cluster",
            Self::BehindCheckpoint => "behind_checkpoint",
        }
    }
}

impl Found<'_> {
    /// Why this is a restored database, if it is. A failover changes neither cluster nor chain.
    /// A checkpoint of an older epoch says nothing: whoever began the newer one has dealt with it.
    pub fn restored(&self, furthest: Option<&Checkpoint>) -> Option<Cause> {
        let behind = furthest.is_some_and(|signed| {
            signed.epoch > self.epoch
                || (signed.epoch == self.epoch && signed.height > 0 && self.hash_there != Some(signed.hash))
        });
        if behind {
            return Some(Cause::BehindCheckpoint);
        }
        self.noted.is_some_and(|noted| noted != self.cluster).then_some(Cause::OtherCluster)
    }

    /// The epoch that a restore begins: above everything that was ever seen.
    pub fn next_epoch(&self, furthest: Option<&Checkpoint>) -> i32 {
        self.epoch.max(furthest.map_or(0, |signed| signed.epoch)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::checkpoint::Reason;
    use super::*;

    #[test]
    fn a_restore_shows_in_the_cluster_or_behind_a_checkpoint() {
        let signed = |epoch, height| Checkpoint {
            instance: "1".into(),
            epoch,
            height,
            hash: Digest([u8::try_from(height).unwrap(); 32]),
            at: chrono::DateTime::UNIX_EPOCH,
            reason: Reason::Stop,
        };
        let found = |noted, epoch, hash| Found { cluster: "1", noted, epoch, hash_there: hash };
        let there = Some(Digest([5; 32]));
        for (database, furthest, cause) in [
            (found(None, 1, None), None, None),
            (found(Some("1"), 1, None), None, None),
            (found(Some("1"), 1, None), Some(signed(1, 0)), None),
            (found(Some("1"), 1, there), Some(signed(1, 5)), None),
            (found(Some("2"), 1, there), Some(signed(1, 5)), Some(Cause::OtherCluster)),
            (found(Some("1"), 1, None), Some(signed(1, 5)), Some(Cause::BehindCheckpoint)),
            (found(Some("1"), 1, Some(Digest([6; 32]))), Some(signed(1, 5)), Some(Cause::BehindCheckpoint)),
            (found(None, 1, None), Some(signed(1, 5)), Some(Cause::BehindCheckpoint)),
            (found(Some("1"), 2, None), Some(signed(1, 5)), None),
            (found(Some("1"), 1, there), Some(signed(2, 5)), Some(Cause::BehindCheckpoint)),
        ] {
            assert_eq!(database.restored(furthest.as_ref()), cause, "{database:?} {furthest:?}");
        }
        assert_eq!(found(None, 1, None).next_epoch(Some(&signed(4, 1))), 5);
        assert_eq!(found(None, 3, None).next_epoch(None), 4);
    }
}
