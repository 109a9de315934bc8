//! Learned rules: commands of a project that an admin confirmed, word for word or from the front.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::verdict::words;

words! {
    /// How a rule's words are compared.
    Match {
        /// All words, no more.
        Exact "exact",
        /// The first words; any may follow.
        Prefix "prefix",
    }
}

/// A confirmed rule that is still in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id; none in a policy given to `classify`.
    pub id: Option<Uuid>,
    /// The words.
    pub argv: Vec<String>,
    /// How they are compared.
    pub matching: Match,
}

impl Rule {
    /// Whether the rule covers a command's words. An empty rule covers nothing.
    pub fn covers(&self, argv: &[String]) -> bool {
        !self.argv.is_empty()
            && match self.matching {
                Match::Exact => self.argv == argv,
                Match::Prefix => argv.starts_with(&self.argv),
            }
    }
}
