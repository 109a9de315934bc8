//! A small journal to do damage to: three blocks of five rows, each signed, and two rows more.

use chrono::DateTime;
use ed25519_dalek::SigningKey;

use super::super::checkpoint::{Checkpoint, Reason, Signed, fingerprint};
use super::super::finding::{Damage, Report};
use super::super::verify::{Trust, Verifier};
use super::super::*;

/// The journal, the checkpoints over it, and what its auditor trusts.
pub(super) struct Journal {
    pub(super) rows: Vec<Row>,
    pub(super) blocks: Vec<Block>,
    pub(super) signed: Vec<Signed>,
    pub(super) trust: Trust,
}

pub(super) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_796_000_000 + seconds, 0).unwrap()
}

pub(super) fn row(id: i64) -> Row {
    Row {
        cursor: Cursor { epoch: 1, xid: 700 + u64::try_from(id).unwrap(), id },
        project: Some(Uuid::from_u128(1)),
        lane: Some(Uuid::from_u128(2)),
        proposal: Some(Uuid::from_u128(3)),
        version: Some(1),
        kind: "proposal.created".into(),
        actor: "agent:a".into(),
        payload: Some(format!("{{\"n\":{id}}}")),
        at: at(id),
        redacted: false,
    }
}

pub(super) fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

pub(super) fn checkpoint(epoch: i32, head: &Head, reason: Reason) -> Checkpoint {
    Checkpoint { instance: "1".into(), epoch, height: head.height, hash: head.hash, at: at(100), reason }
}

impl Journal {
    pub(super) fn new() -> Self {
        let rows: Vec<Row> = (1..=17).map(row).collect();
        let mut this = Self {
            rows,
            blocks: Vec::new(),
            signed: vec![checkpoint(1, &EMPTY, Reason::First).sign(&key(1))],
            trust: Trust { fingerprints: vec![fingerprint(&key(1).verifying_key().to_bytes())], restores: Vec::new() },
        };
        this.seal();
        for block in this.blocks.clone() {
            this.sign(1, &block.head(), Reason::Interval);
        }
        this
    }

    /// Seals the first fifteen rows anew, as somebody with the database but no key could.
    pub(super) fn seal(&mut self) {
        self.blocks.clear();
        let mut head = EMPTY;
        for rows in self.rows[..15].chunks(5) {
            let block = Block::seal(&head, rows, at(50)).unwrap();
            head = block.head();
            self.blocks.push(block);
        }
    }

    pub(super) fn sign(&mut self, epoch: i32, head: &Head, reason: Reason) {
        self.signed.push(checkpoint(epoch, head, reason).sign(&key(1)));
    }

    pub(super) fn redact(&mut self, index: usize) {
        self.rows[index].payload = None;
        self.rows[index].redacted = true;
    }

    /// Tells of redactions in the youngest row.
    pub(super) fn record_redactions(&mut self, count: u64) {
        let last = self.rows.last_mut().unwrap();
        last.kind = "journal.redacted".into();
        last.payload = Some(format!("{{\"events\":{count}}}"));
    }

    pub(super) fn report(&self) -> Report {
        let mut rows = self.rows.clone();
        rows.sort_by_key(|row| row.cursor);
        let mut verifier = Verifier::new(self.trust.clone(), &self.signed);
        for block in &self.blocks {
            let from = verifier.head().upto;
            let here: Vec<Row> =
                rows.iter().filter(|row| row.cursor > from && row.cursor <= block.upto).cloned().collect();
            verifier.block(block, &here);
        }
        let upto = verifier.head().upto;
        let rest: Vec<Row> = rows.into_iter().filter(|row| row.cursor > upto).collect();
        verifier.unsealed(&rest);
        verifier.finish()
    }

    pub(super) fn damage(&self) -> Vec<Damage> {
        self.report().findings.iter().map(|f| f.damage).collect()
    }
}
