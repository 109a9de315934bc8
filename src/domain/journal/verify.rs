//! The verifier: a fold over checkpoints, blocks and rows that names every kind of damage and stops at none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::checkpoint::{Checkpoint, Flaw, Reason, Signed};
use super::compare::compare;
use super::finding::{Damage, Finding, Report, Signer};
use super::{Block, EMPTY, Head, Row, unmet};
use crate::domain::event::EventKind;

/// What the auditor takes as given.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Fingerprints of the servers' keys, as noted when the servers started. None: every key is taken at its word.
    pub fingerprints: Vec<String>,
    /// Epochs that the auditor knows to have begun with a restored backup.
    pub restores: Vec<i32>,
}

/// A verification under way: [`Self::block`] for each block in order, [`Self::unsealed`] for the rest, [`Self::finish`].
#[derive(Debug)]
pub struct Verifier {
    trust: Trust,
    /// Good checkpoints by height.
    signed: BTreeMap<i64, Vec<Checkpoint>>,
    head: Head,
    /// Rows in the blocks so far.
    rows: u64,
    redactions: Redactions,
    /// Good checkpoints that the chain does not bear out.
    unmet: Vec<Checkpoint>,
    /// Good checkpoints that tell of a restore.
    restores: Vec<Checkpoint>,
    report: Report,
}

#[derive(Debug, Default)]
struct Redactions {
    found: u64,
    recorded: u64,
}

impl Verifier {
    /// Judges the checkpoints first; only good ones are held against the chain.
    pub fn new(mut trust: Trust, checkpoints: &[Signed]) -> Self {
        for fingerprint in &mut trust.fingerprints {
            *fingerprint = fingerprint.trim().to_ascii_lowercase();
        }
        let mut this = Self {
            trust,
            signed: BTreeMap::new(),
            head: EMPTY,
            rows: 0,
            redactions: Redactions::default(),
            unmet: Vec::new(),
            restores: Vec::new(),
            report: Report::default(),
        };
        let mut seen = BTreeSet::new();
        for signed in checkpoints {
            // Table and file hold most of them both.
            if seen.insert((&signed.statement, signed.signature)) {
                this.checkpoint(signed);
            }
        }
        this.signers();
        this.meet(&EMPTY);
        this
    }

    /// The position behind which the next block's rows begin.
    pub fn head(&self) -> Head {
        self.head
    }

    fn checkpoint(&mut self, signed: &Signed) {
        self.report.checkpoints += 1;
        let kid = &signed.kid;
        let checkpoint = match signed.open() {
            Ok(checkpoint) => checkpoint,
            Err(Flaw::WrongFingerprint) => {
                let detail = format!("A checkpoint names the key {kid}, but brings another one.");
                return self.report.find(Finding::new(Damage::WrongFingerprint, detail));
            }
            Err(Flaw::Forged) => {
                let detail = format!("A checkpoint in the name of the key {kid} was not signed by it.");
                return self.report.find(Finding::new(Damage::ForgedCheckpoint, detail));
            }
        };
        let trusted = self.trust.fingerprints.contains(kid);
        let signers = &mut self.report.signers;
        match signers.iter_mut().find(|signer| signer.fingerprint == *kid) {
            Some(signer) => signer.checkpoints += 1,
            None => signers.push(Signer { fingerprint: kid.clone(), trusted, checkpoints: 1 }),
        }
        if trusted || self.trust.fingerprints.is_empty() {
            if checkpoint.reason == Reason::Restored {
                self.restores.push(checkpoint.clone());
            }
            self.signed.entry(checkpoint.height).or_default().push(checkpoint);
        }
    }

    /// Judges who signed.
    fn signers(&mut self) {
        if self.trust.fingerprints.is_empty() {
            let notice = "No fingerprint was given to trust: whoever can write to the database and to the checkpoint file could have made all of this.";
            self.report.notices.push(notice.to_owned());
            if self.report.signers.is_empty() {
                let notice = "There is no good checkpoint: a cut or emptied journal cannot be told from a short one.";
                self.report.notices.push(notice.to_owned());
            }
            return;
        }
        for signer in self.report.signers.clone() {
            if !signer.trusted {
                let detail = format!(
                    "{} checkpoints are signed by the key {}, which is not trusted here; they prove nothing.",
                    signer.checkpoints, signer.fingerprint
                );
                self.report.find(Finding::new(Damage::UnknownKey, detail));
            }
        }
        for fingerprint in self.trust.fingerprints.clone() {
            if !self.report.signers.iter().any(|signer| signer.fingerprint == fingerprint) {
                let detail = format!("No good checkpoint is signed by the trusted key {fingerprint}.");
                self.report.find(Finding::new(Damage::WrongFingerprint, detail));
            }
        }
    }

    /// Takes the next block and the rows behind [`Self::head`] up to its last one.
    pub fn block(&mut self, block: &Block, rows: &[Row]) {
        let height = block.height;
        let expected = self.head.height + 1;
        let behind_gap = height > expected;
        if behind_gap {
            let missing = if height - expected > 1 {
                format!("Blocks {expected} to {} are gone.", height - 1)
            } else {
                format!("Block {expected} is gone.")
            };
            self.report.find(Finding::new(Damage::MissingBlock, missing).at(expected));
        } else if block.prev != self.head.hash {
            let detail = format!("Block {height} does not continue the block before it.");
            self.report.find(Finding::new(Damage::BrokenLink, detail).at(height));
        }
        if block.computed_hash() != block.hash {
            let detail = format!("Block {height} does not fit its own hash.");
            self.report.find(Finding::new(Damage::EditedBlock, detail).at(height));
        }
        let compared = compare(block, rows, behind_gap);
        self.report.rows_unproven += compared.unproven;
        for finding in compared.findings {
            self.report.find(finding);
        }
        self.count(rows);
        self.report.blocks += 1;
        self.rows += block.rows.len() as u64;
        self.head = block.head();
        self.meet(&block.head());
    }

    /// Takes rows behind the last block: too young to be proven, but they may tell of redactions.
    pub fn unsealed(&mut self, rows: &[Row]) {
        self.report.rows_unsealed += rows.len() as u64;
        self.count(rows);
    }

    fn count(&mut self, rows: &[Row]) {
        for row in rows {
            self.redactions.found += u64::from(row.redacted);
            if row.kind == EventKind::JournalRedacted.as_str() {
                let payload = row.payload.as_deref().unwrap_or_default();
                let payload: Value = serde_json::from_str(payload).unwrap_or_default();
                self.redactions.recorded += payload["events"].as_u64().unwrap_or(0);
            }
        }
    }

    /// Holds the checkpoints of a height against the chain's block there.
    fn meet(&mut self, head: &Head) {
        for checkpoint in self.signed.remove(&head.height).unwrap_or_default() {
            if checkpoint.is_about(head) {
                self.report.rows_witnessed = self.rows;
            } else {
                self.unmet.push(checkpoint);
            }
        }
    }

    /// Ends it.
    pub fn finish(mut self) -> Report {
        self.report.rows = self.rows;
        self.report.rows_redacted = self.redactions.found;
        if self.redactions.found > self.redactions.recorded {
            let detail = format!(
                "{} rows have lost their payload, but the journal tells of {} redacted ones.",
                self.redactions.found, self.redactions.recorded
            );
            self.report.find(Finding::new(Damage::UnrecordedRedaction, detail));
        }
        // What was signed about heights in a missing stretch is part of that finding.
        let ahead = self.signed.split_off(&(self.head.height + 1));
        self.unmet.extend(ahead.into_values().flatten());
        unmet::judge(&self.unmet, &self.restores, &self.trust, (&self.head, &mut self.report));
        self.report
    }
}
