//! The words of a proposal's life, and what approving one takes.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::risk::Risk;

/// How long a re-authentication counts for a high-risk approval.
pub const REAUTH_LASTS: TimeDelta = TimeDelta::minutes(5);
/// Longest note, in characters.
pub const NOTE_MAX: usize = 4_000;

/// Where a proposal stands; all but `pending` are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for a person.
    Pending,
    /// Approved as asked.
    Approved,
    /// Approved with other content.
    Modified,
    /// Refused by a person.
    Rejected,
    /// Nobody decided in time, which is not an approval.
    Expired,
    /// The agent moved on.
    Withdrawn,
}

impl Status {
    /// Every status.
    pub const ALL: &[Self] =
        &[Self::Pending, Self::Approved, Self::Modified, Self::Rejected, Self::Expired, Self::Withdrawn];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Modified => "modified",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == word)
    }

    /// Whether nothing can change any more.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending)
    }
}

/// What a person may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As asked.
    Approved,
    /// With the body given.
    Modified,
    /// Not at all.
    Rejected,
}

impl Outcome {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        self.status().as_str()
    }

    /// The status it leads to.
    pub const fn status(self) -> Status {
        match self {
            Self::Approved => Status::Approved,
            Self::Modified => Status::Modified,
            Self::Rejected => Status::Rejected,
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Approved, Self::Modified, Self::Rejected].into_iter().find(|outcome| outcome.as_str() == word)
    }
}

/// What it takes to approve, frozen at creation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// Approvals needed.
    pub votes: u32,
    /// A fresh re-authentication is needed.
    pub reauth: bool,
    /// A reason is needed.
    pub reason: bool,
}

impl Requirement {
    /// The requirement for a risk: high asks for a fresh password and a reason.
    pub const fn for_risk(risk: Risk) -> Self {
        let high = matches!(risk, Risk::High);
        Self { votes: 1, reauth: high, reason: high }
    }

    /// The same where the policy asks for a reason of every approval (`require_reason`).
    #[must_use]
    pub const fn with_reason(self, always: bool) -> Self {
        Self { reason: self.reason || always, ..self }
    }
}
