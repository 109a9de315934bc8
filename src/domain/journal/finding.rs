//! What a verification found, in names that a script can match and sentences that an auditor can act on.

use serde::Serialize;

/// Most findings that a report lists; the rest are counted.
const LISTED: usize = 200;

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Damage {
    /// A row says something else than when it was sealed.
    EditedRow,
    /// A sealed row is gone.
    DeletedRow,
    /// A row stands between sealed rows that was not there.
    InsertedRow,
    /// A row was given another row's place.
    ReorderedRow,
    /// More payloads are gone than the journal says were redacted.
    UnrecordedRedaction,
    /// A block does not fit its own hash.
    EditedBlock,
    /// A block is gone from the middle.
    MissingBlock,
    /// A block does not continue the one before it.
    BrokenLink,
    /// The chain is whole, but not the one that was signed.
    RewrittenChain,
    /// The end of the chain that was signed is gone.
    CutTail,
    /// Something was signed, and nothing is left.
    EmptiedJournal,
    /// The chain goes back to before something that was signed, and a server took it for a restored backup.
    LostToRestore,
    /// A checkpoint whose signature does not fit.
    ForgedCheckpoint,
    /// A checkpoint by a key that is not trusted.
    UnknownKey,
    /// A key that is not what its fingerprint says, or a trusted fingerprint that signed nothing.
    WrongFingerprint,
}

impl Damage {
    /// The word scripts match on.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EditedRow => "edited_row",
            Self::DeletedRow => "deleted_row",
            Self::InsertedRow => "inserted_row",
            Self::ReorderedRow => "reordered_row",
            Self::UnrecordedRedaction => "unrecorded_redaction",
            Self::EditedBlock => "edited_block",
            Self::MissingBlock => "missing_block",
            Self::BrokenLink => "broken_link",
            Self::RewrittenChain => "rewritten_chain",
            Self::CutTail => "cut_tail",
            Self::EmptiedJournal => "emptied_journal",
            Self::LostToRestore => "lost_to_restore",
            Self::ForgedCheckpoint => "forged_checkpoint",
            Self::UnknownKey => "unknown_key",
            Self::WrongFingerprint => "wrong_fingerprint",
        }
    }
}

/// One piece of damage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind.
    pub damage: Damage,
    /// The block concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// The row concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<i64>,
    /// A sentence.
    pub detail: String,
}

impl Finding {
    /// A finding about no particular block or row.
    pub fn new(damage: Damage, detail: impl Into<String>) -> Self {
        Self { damage, height: None, event: None, detail: detail.into() }
    }

    /// Names the block.
    #[must_use]
    pub fn at(mut self, height: i64) -> Self {
        self.height = Some(height);
        self
    }

    /// Names the row.
    #[must_use]
    pub fn row(mut self, event: i64) -> Self {
        self.event = Some(event);
        self
    }
}

/// A key that signed checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Whether the auditor named it.
    pub trusted: bool,
    /// Its good checkpoints.
    pub checkpoints: u64,
}

/// What `audit verify` says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Sealed blocks.
    pub blocks: u64,
    /// Rows in them.
    pub rows: u64,
    /// Of those, rows in blocks that a good checkpoint vouches for: nobody without the key can have changed them unseen.
    pub rows_witnessed: u64,
    /// Rows whose payload retention took away; all else of them was proven.
    pub rows_redacted: u64,
    /// Rows that came with a lost block and cannot be proven.
    pub rows_unproven: u64,
    /// Rows too young to be sealed.
    pub rows_unsealed: u64,
    /// Checkpoints that were looked at.
    pub checkpoints: u64,
    /// Who signed.
    pub signers: Vec<Signer>,
    /// All damage found, up to a limit.
    pub findings: Vec<Finding>,
    /// Damage beyond the limit.
    pub findings_more: u64,
    /// What is no damage but worth knowing.
    pub notices: Vec<String>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.findings.is_empty()
    }

    /// Adds a finding, or counts it.
    pub(super) fn find(&mut self, finding: Finding) {
        if self.findings.len() < LISTED {
            self.findings.push(finding);
        } else {
            self.findings_more += 1;
        }
    }
}
