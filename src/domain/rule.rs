//! Learned rules: commands of a project that an admin confirmed, word for word or from the front.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::class::Class;
use super::digest::Encoder;
use super::verdict::{Judgement, words};

/// Approvals in a row of the same words in a project after which a rule is suggested.
const APPROVALS: i32 = 3;

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

/// The words that a rule could be learned of: only those that a rule could ever lift, one simple command that is proven
/// to stay inside and that no veto names.
pub fn learnable(judgement: &Judgement) -> Option<&[String]> {
    let fits = judgement.class == Class::CommandExec && judgement.repo_scoped && !judgement.veto;
    judgement.argv.as_deref().filter(|argv| fits && !argv.is_empty())
}

/// Whether so many approvals in a row are enough to suggest a rule.
pub const fn worth_suggesting(approvals: i32) -> bool {
    approvals >= APPROVALS
}

/// Words as one value to count them by: no two lists of words have the same.
pub fn argv_hash(argv: &[String]) -> [u8; 32] {
    let mut encoder = Encoder::new("countersign/argv/1");
    for word in argv {
        encoder.text(word);
    }
    encoder.finish().0
}

/// Words as a person would type them: what a shell would take apart is quoted.
pub fn spelled(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+@%,^".contains(c);
    let word = |word: &String| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}
