//! A checkpoint: what a server signs about the chain, word for word, so that it can be checked without this program.

use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use super::Head;
use crate::domain::digest::Digest;

const TAG: &str = "countersign/checkpoint/1";

/// Why a checkpoint was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The server's first start.
    First,
    /// A later start.
    Start,
    /// A clean stop.
    Stop,
    /// Enough time or rows since the one before.
    Interval,
    /// The database was found to be older than what was signed, or another cluster: a restore.
    Restored,
}

impl Reason {
    const ALL: [Self; 5] = [Self::First, Self::Start, Self::Stop, Self::Interval, Self::Restored];

    /// The word in the statement and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Interval => "interval",
            Self::Restored => "restored",
        }
    }
}

/// What is said about the chain at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The cluster's own identity, as Postgres tells it.
    pub instance: String,
    /// The epoch it was made in.
    pub epoch: i32,
    /// The newest block's height; 0 for an empty chain.
    pub height: i64,
    /// The newest block's hash; zeros for an empty chain.
    pub hash: Digest,
    /// When, by the database's clock.
    pub at: DateTime<Utc>,
    /// Why.
    pub reason: Reason,
}

impl Checkpoint {
    /// Whether the chain's head is the one that this is about.
    pub fn is_about(&self, head: &Head) -> bool {
        self.height == head.height && self.hash == head.hash
    }

    /// The exact text that is signed.
    pub fn statement(&self) -> String {
        let mut text = format!("{TAG}\n");
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "instance {}\nepoch {}\nheight {}\nhash {}\ntime {}\nreason {}\n",
            self.instance,
            self.epoch,
            self.height,
            self.hash,
            self.at.to_rfc3339_opts(SecondsFormat::Micros, true),
            self.reason.as_str(),
        );
        text
    }

    /// Reads a statement; only the exact form that [`Self::statement`] writes is one.
    pub fn parse(statement: &str) -> Option<Self> {
        let mut lines = statement.strip_prefix(TAG)?.strip_prefix('\n')?.lines();
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let parsed = Self {
            instance: field("instance")?.to_owned(),
            epoch: field("epoch")?.parse().ok()?,
            height: field("height")?.parse().ok()?,
            hash: Digest::parse(field("hash")?).ok()?,
            at: DateTime::parse_from_rfc3339(field("time")?).ok()?.with_timezone(&Utc),
            reason: {
                let word = field("reason")?;
                *Reason::ALL.iter().find(|reason| reason.as_str() == word)?
            },
        };
        (parsed.statement() == statement).then_some(parsed)
    }

    /// Signs it.
    pub fn sign(&self, key: &SigningKey) -> Signed {
        let statement = self.statement();
        let public_key = key.verifying_key().to_bytes();
        Signed {
            signature: key.sign(statement.as_bytes()).to_bytes(),
            statement,
            kid: fingerprint(&public_key),
            public_key,
        }
    }
}

/// A statement as it is kept: nothing in it is believed before [`Signed::open`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The text.
    pub statement: String,
    /// Which key is said to have signed it.
    pub kid: String,
    /// That key's public half, as kept beside the signature.
    pub public_key: [u8; 32],
    /// Ed25519 over the text.
    pub signature: [u8; 64],
}

/// Why a kept checkpoint is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The key's name is not the fingerprint of its public half.
    WrongFingerprint,
    /// The signature does not fit the text, or the text is no statement.
    Forged,
}

impl Signed {
    /// Checks name, signature and text, and gives what was signed.
    pub fn open(&self) -> Result<Checkpoint, Flaw> {
        if fingerprint(&self.public_key) != self.kid {
            return Err(Flaw::WrongFingerprint);
        }
        VerifyingKey::from_bytes(&self.public_key)
            .and_then(|key| {
                let signature = Signature::from_bytes(&self.signature);
                key.verify_strict(self.statement.as_bytes(), &signature)
            })
            .map_err(|_| Flaw::Forged)?;
        Checkpoint::parse(&self.statement).ok_or(Flaw::Forged)
    }
}

/// The name of a key: SHA-256 of its public half, in hexadecimal.
pub fn fingerprint(public_key: &[u8; 32]) -> String {
    Digest::of(public_key).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            instance: "7713733377582772615".into(),
            epoch: 2,
            height: 15,
            hash: Digest([7; 32]),
            at: DateTime::from_timestamp_micros(1_796_000_000_000_001).unwrap(),
            reason: Reason::Interval,
        }
    }

    #[test]
    fn a_statement_is_read_back_only_in_its_exact_form() {
        let text = checkpoint().statement();
        assert_eq!(Checkpoint::parse(&text), Some(checkpoint()));
        for bad in [
            text.replace("height 15", "height 015"),
            text.replace("epoch 2", "epoch  2"),
            text.replace("interval", "because"),
            format!("{text}\n"),
            text.trim_end().to_owned(),
            text.replace("checkpoint/1", "checkpoint/2"),
        ] {
            assert_eq!(Checkpoint::parse(&bad), None, "{bad}");
        }
    }

    #[test]
    fn only_the_signed_text_under_its_own_key_opens() {
        let key = SigningKey::from_bytes(&[1; 32]);
        let signed = checkpoint().sign(&key);
        assert_eq!(signed.open(), Ok(checkpoint()));
        let mut edited = signed.clone();
        edited.statement = edited.statement.replace("15", "14");
        assert_eq!(edited.open(), Err(Flaw::Forged));
        let mut other = signed.clone();
        other.public_key = SigningKey::from_bytes(&[2; 32]).verifying_key().to_bytes();
        assert_eq!(other.open(), Err(Flaw::WrongFingerprint));
        other.kid = fingerprint(&other.public_key);
        assert_eq!(other.open(), Err(Flaw::Forged));
    }
}
