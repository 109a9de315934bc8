//! This server's keys: one vouches for the journal outside the database, in a file that its checkpoints are appended to;
//! the other signs the short-lived tokens of pane clients.
//!
//! Whoever can write to the database can rewrite the whole chain consistently, or empty it; they cannot sign, and they cannot
//! take back what stands in the file (where service and agents are different system users).

mod error;
mod key;
mod witness;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use ed25519_dalek::SigningKey;

pub use error::Error;
pub use witness::Witness;

use crate::domain::digest::Digest;
use crate::domain::journal::checkpoint::{Checkpoint, Signed, fingerprint};

/// What this server vouched for last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vouched {
    /// The chain's height then.
    pub height: i64,
    /// The hash of its newest block then; zeros for none.
    pub hash: Digest,
    /// When.
    pub at: DateTime<Utc>,
}

/// This server's key and its checkpoint file.
pub struct Notary {
    key: SigningKey,
    pane_key: SigningKey,
    witness: Witness,
    last: Mutex<Option<Vouched>>,
}

impl std::fmt::Debug for Notary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Notary").field("fingerprint", &self.fingerprint()).finish_non_exhaustive()
    }
}

impl Notary {
    /// Opens DIR/keys/checkpoint.pem and pane_token.pem, made at the first start, and DIR/checkpoints.jsonl.
    pub fn open(data_dir: &Path) -> Result<Self, Error> {
        Ok(Self {
            key: key::load_or_create(&data_dir.join("keys"), "checkpoint.pem")?,
            pane_key: key::load_or_create(&data_dir.join("keys"), "pane_token.pem")?,
            witness: Witness::new(data_dir.join("checkpoints.jsonl")),
            last: Mutex::default(),
        })
    }

    /// The public half of the key.
    pub fn public_key(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The key's name, which an auditor keeps and gives to `audit verify --trust`.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.public_key())
    }

    /// The key that signs pane tokens.
    pub fn pane_key(&self) -> &SigningKey {
        &self.pane_key
    }

    /// The name under which the public half of it is known.
    pub fn pane_kid(&self) -> String {
        fingerprint(&self.pane_key.verifying_key().to_bytes())
    }

    /// The file outside the database.
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// Signs a checkpoint and puts it into the file; it is on the disk when this returns.
    pub async fn vouch(&self, checkpoint: &Checkpoint) -> Result<Signed, Error> {
        let signed = checkpoint.sign(&self.key);
        self.witness.append(&signed).await?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Vouched { height: checkpoint.height, hash: checkpoint.hash, at: checkpoint.at });
        Ok(signed)
    }

    /// What was vouched for last since this start.
    pub fn last(&self) -> Option<Vouched> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
