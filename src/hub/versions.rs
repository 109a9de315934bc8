//! What this replica remembers of proposals' versions, so that an unchanged one is answered without the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// How many versions are remembered in each of the two generations.
const GENERATION: usize = 32_768;

/// Who may be answered from memory, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The lane whose agents may read it.
    pub lane: Uuid,
    /// From then on a pending one may be over, and the database is asked.
    pub until: Option<DateTime<Utc>>,
    /// It is over: no other version will come.
    pub is_final: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    version: i32,
    known: Option<Known>,
}

/// Versions by proposal. When the young generation is full it becomes the old one, and the old one is forgotten.
#[derive(Debug, Default)]
pub struct Versions {
    generations: Mutex<(HashMap<Uuid, Entry>, HashMap<Uuid, Entry>)>,
}

impl Versions {
    fn update(&self, proposal: Uuid, change: impl FnOnce(&mut Entry)) {
        let mut guard = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let (young, old) = &mut *guard;
        if young.len() >= GENERATION {
            *old = std::mem::take(young);
        }
        let before = old.get(&proposal).copied().unwrap_or_default();
        change(young.entry(proposal).or_insert(before));
    }

    /// A flow or the tail tells of a version. It is noted even for a proposal nobody asked about yet, so that a slower
    /// reader cannot bring back an older one.
    pub fn told(&self, proposal: Uuid, version: i32) {
        self.update(proposal, |entry| {
            if version > entry.version {
                *entry = Entry { version, known: None };
            }
        });
    }

    /// Somebody has read a version in the database.
    pub fn read(&self, proposal: Uuid, version: i32, known: Known) {
        self.update(proposal, |entry| {
            if version >= entry.version {
                *entry = Entry { version, known: Some(known) };
            }
        });
    }

    /// Forgets all: the database is another one than it was.
    pub fn clear(&self) {
        *self.generations.lock().unwrap_or_else(PoisonError::into_inner) = Default::default();
    }

    /// What is known of the proposal if `version` is still the newest, for an agent of `lane`, at `now`.
    pub fn unchanged(&self, proposal: Uuid, version: i32, lane: Uuid, now: DateTime<Utc>) -> Option<Known> {
        let guard = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = guard.0.get(&proposal).or_else(|| guard.1.get(&proposal))?;
        let known = entry.known.filter(|_| entry.version == version)?;
        (known.lane == lane && known.until.is_none_or(|until| now < until)).then_some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_answers_only_for_what_it_is_sure_of() {
        let (id, lane, other) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let at = |secs| DateTime::from_timestamp(secs, 0).unwrap();
        let versions = Versions::default();
        let known = |until| Known { lane, until, is_final: false };
        assert_eq!(versions.unchanged(id, 1, lane, at(0)), None);
        versions.read(id, 1, known(Some(at(10))));
        assert_eq!(versions.unchanged(id, 1, lane, at(9)), Some(known(Some(at(10)))));
        assert_eq!(versions.unchanged(id, 1, lane, at(10)), None, "its time may be over");
        assert_eq!(versions.unchanged(id, 1, other, at(9)), None, "not this lane's");
        versions.told(id, 2);
        assert_eq!(versions.unchanged(id, 2, lane, at(0)), None, "nobody has read version 2");
        versions.read(id, 1, known(None));
        for version in [1, 2] {
            assert_eq!(
                versions.unchanged(id, version, lane, at(0)),
                None,
                "a slow reader does not bring back version 1"
            );
        }
    }
}
