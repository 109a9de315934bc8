//! From a dialog to a verdict. Every step but the learned rule can only turn towards hold.

mod answer;
mod judge;
mod reasons;
mod sight;

use serde::{Deserialize, Serialize};

pub use answer::Answer;
pub use judge::judge;

use super::class::Class;
use super::dialog::DialogOption;
use super::risk::Risk;

/// What the policy answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Press the one single-shot row that agrees.
    AutoApprove,
    /// Press the one single-shot row that refuses.
    AutoDeny,
    /// A person decides.
    Hold,
}

macro_rules! words {
    ($(#[$doc:meta])+ $name:ident { $($(#[$each:meta])+ $variant:ident $word:literal),+ $(,)? }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$each])+ $variant),+ }

        impl $name {
            /// Every one, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
            /// Reads the word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// Why a verdict is what it is: the first that applies, in this order (contract, section 6).
    PolicySource {
        /// An admin paused everything.
        Paused "paused",
        /// A confirmed rule answered while a key is off (the seed's legacy path).
        LegacyRule "legacy_rule",
        /// The master switch is off.
        MasterOff "master_off",
        /// The lane's switch is off.
        LaneOff "lane_off",
        /// The capture is not whole.
        Capture "capture",
        /// The veto.
        AlwaysEscalate "always_escalate",
        /// Not a permission prompt.
        DecisionClass "decision_class",
        /// A file that runners execute was written, or the shell is no longer the one assumed.
        RunnerTaint "runner_taint",
        /// Not proven to stay inside.
        NotRepoScoped "not_repo_scoped",
        /// No single row, or more than one, that says just yes or no.
        AmbiguousOptions "ambiguous_options",
        /// A confirmed rule lifted the hold.
        LearnedRule "learned_rule",
        /// The lane's own setting of the class.
        LaneClass "lane_class",
        /// The global setting of the class.
        GlobalClass "global_class",
        /// A person decided.
        Person "person",
    }
}

impl Verdict {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AutoApprove => "auto_approve",
            Self::AutoDeny => "auto_deny",
            Self::Hold => "hold",
        }
    }

    /// Reads the word; anything unknown holds.
    pub fn from_word(word: &str) -> Self {
        match word {
            "auto_approve" => Self::AutoApprove,
            "auto_deny" => Self::AutoDeny,
            _ => Self::Hold,
        }
    }
}

/// One reason, for a program and for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Reason {
    /// A stable word.
    pub code: String,
    /// A sentence.
    pub text: String,
}

/// What an approved dialog leaves behind for the ones after it (design, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    /// It writes a file that runners execute: runner taint.
    pub writes_runner_file: bool,
    /// It starts a runner (build, test, package script).
    pub runs: bool,
    /// It changes the shell itself (`export`, `alias`, `source`, `cd` outside): shell taint.
    pub changes_shell: bool,
}

/// The whole judgement of one dialog. Only [`judge`] makes one.
#[derive(Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What it asks for.
    pub class: Class,
    /// Whether it is proven to stay inside.
    pub repo_scoped: bool,
    /// Whether the veto hit.
    pub veto: bool,
    /// What happens.
    pub answer: Answer,
    /// Why.
    pub policy_source: PolicySource,
    /// What would happen with both keys on and nothing paused, and why.
    pub would: (Verdict, PolicySource),
    /// Why it is held, in the order found; empty when it is not.
    pub reasons: Vec<Reason>,
    /// How much a wrong approval could cost.
    pub risk: Risk,
    /// The row that would be pressed to agree, if there is exactly one.
    pub approve: Option<DialogOption>,
    /// The row that would be pressed to refuse, if there is exactly one.
    pub deny: Option<DialogOption>,
    /// The confirmed rule that lifted it.
    pub rule: Option<uuid::Uuid>,
    /// What an approval of it would leave behind.
    pub effects: Effects,
    /// The single command's words, where it is one simple command: what a rule would be learned of.
    pub argv: Option<Vec<String>>,
}

impl Judgement {
    /// What happens, as a word.
    pub const fn verdict(&self) -> Verdict {
        self.answer.verdict()
    }

    /// Takes an automatic answer back. There is no way in the other direction.
    pub fn hold(&mut self, source: PolicySource) {
        self.answer = Answer::held();
        self.policy_source = source;
        self.rule = None;
    }
}

/// What a dialog is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// The lane's policy.
    pub policy: &'a super::policy::Effective,
    /// The project's rules in force.
    pub rules: &'a [super::rule::Rule],
    /// An admin paused everything.
    pub paused: bool,
    /// The lane wrote a file that runners execute, and nobody has looked since.
    pub runner_taint: bool,
    /// The pane's shell is no longer the one that the proof assumes.
    pub shell_taint: bool,
}

#[cfg(test)]
mod tests;
