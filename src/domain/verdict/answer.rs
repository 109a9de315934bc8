//! The answer to a dialog. An approval is made of the proof and the row, so that neither can be missing.

use super::Verdict;
use crate::domain::dialog::DialogOption;
use crate::domain::scope::Proof;

/// What is answered; the parts that make it are private, so that nobody else can make one.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer(Inner);

#[derive(Debug, PartialEq, Eq)]
enum Inner {
    Approve { row: DialogOption, proof: Proof },
    Deny { row: DialogOption },
    Hold,
}

impl Answer {
    /// Agrees, with the one row that does so once.
    pub(super) const fn approve(proof: Proof, row: DialogOption) -> Self {
        Self(Inner::Approve { row, proof })
    }

    /// Refuses, with the one row that does so once.
    pub(super) const fn deny(row: DialogOption) -> Self {
        Self(Inner::Deny { row })
    }

    /// Leaves it to a person.
    pub const fn held() -> Self {
        Self(Inner::Hold)
    }

    /// The word for it.
    pub const fn verdict(&self) -> Verdict {
        match &self.0 {
            Inner::Approve { .. } => Verdict::AutoApprove,
            Inner::Deny { .. } => Verdict::AutoDeny,
            Inner::Hold => Verdict::Hold,
        }
    }

    /// The row that is pressed for it.
    pub const fn row(&self) -> Option<&DialogOption> {
        match &self.0 {
            Inner::Approve { row, .. } | Inner::Deny { row } => Some(row),
            Inner::Hold => None,
        }
    }

    /// What makes an approval one.
    pub const fn proof(&self) -> Option<&Proof> {
        match &self.0 {
            Inner::Approve { proof, .. } => Some(proof),
            Inner::Deny { .. } | Inner::Hold => None,
        }
    }
}
