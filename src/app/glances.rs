//! What lists tell of proposals without showing them, remembered because finding out takes reading all of the content.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

/// Proposals remembered; beyond, all are forgotten, and read again when they are shown.
const REMEMBERED: usize = 4_096;

/// The short form of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The server's sentence.
    pub sentence: String,
    /// Something in it cannot be seen or misleads.
    pub misleading: bool,
    /// The policy under which a dialog was judged.
    pub policy_version: Option<i64>,
}

/// A proposal with its content, or the same after retention took it away; nothing else changes content under its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The proposal.
    pub id: Uuid,
    /// Its content is gone.
    pub redacted: bool,
}

/// The short forms that were found out lately.
#[derive(Debug, Default)]
pub struct Glances(Mutex<HashMap<Subject, Glance>>);

impl Glances {
    /// Those of these proposals that are remembered.
    pub fn known(&self, subjects: impl Iterator<Item = Subject>) -> HashMap<Subject, Glance> {
        let seen = self.seen();
        subjects.filter_map(|subject| Some((subject, seen.get(&subject)?.clone()))).collect()
    }

    /// Remembers some.
    pub fn keep(&self, fresh: &[(Subject, Glance)]) {
        let mut seen = self.seen();
        if seen.len() + fresh.len() > REMEMBERED {
            seen.clear();
        }
        seen.extend(fresh.iter().cloned());
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<Subject, Glance>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_is_looked_at_again_once_its_content_is_gone() {
        let glances = Glances::default();
        let full = Subject { id: Uuid::from_u128(1), redacted: false };
        let emptied = Subject { redacted: true, ..full };
        let glance = Glance { sentence: "Change 2 files".into(), misleading: true, policy_version: None };
        glances.keep(&[(full, glance.clone())]);
        assert_eq!(glances.known([full].into_iter())[&full], glance);
        assert!(glances.known([emptied].into_iter()).is_empty());
        assert!(Glances::default().known([full].into_iter()).is_empty(), "another server has not seen it");
    }

    #[test]
    fn what_is_remembered_has_an_end() {
        let glances = Glances::default();
        let glance = Glance { sentence: String::new(), misleading: false, policy_version: None };
        for id in 0..=u128::try_from(REMEMBERED).unwrap() {
            glances.keep(&[(Subject { id: Uuid::from_u128(id), redacted: false }, glance.clone())]);
        }
        assert_eq!(glances.seen().len(), 1);
    }
}
