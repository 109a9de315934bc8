//! The digest that ties a decision to the exact bytes that were asked: SHA-256 over a length-prefixed encoding.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 value, written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(pub [u8; 32]);

/// The text is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 64 hexadecimal digits")]
pub struct BadDigest;

impl Digest {
    /// The digest of plain bytes: what `sha256sum` prints.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads the hexadecimal form.
    pub fn parse(text: &str) -> Result<Self, BadDigest> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| BadDigest)?;
        Ok(Self(bytes))
    }

    /// Reads what the database keeps.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, BadDigest> {
        bytes.try_into().map(Self).map_err(|_| BadDigest)
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl TryFrom<String> for Digest {
    type Error = BadDigest;
    fn try_from(text: String) -> Result<Self, BadDigest> {
        Self::parse(&text)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// Feeds fields to a hash so that no two different lists of fields give the same bytes:
/// each field is its length (8 bytes, big endian) and its bytes; a missing one is the length `u64::MAX`.
pub struct Encoder(Sha256);

impl Encoder {
    /// Starts an encoding whose first field is `tag`, e.g. `countersign/proposal/1`.
    pub fn new(tag: &str) -> Self {
        let mut this = Self(Sha256::new());
        this.text(tag);
        this
    }

    /// Adds bytes.
    pub fn bytes(&mut self, field: &[u8]) -> &mut Self {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
        self
    }

    /// Adds text.
    pub fn text(&mut self, field: &str) -> &mut Self {
        self.bytes(field.as_bytes())
    }

    /// Adds text that may be missing, which is not the same as empty.
    pub fn maybe(&mut self, field: Option<&str>) -> &mut Self {
        match field {
            Some(text) => self.text(text),
            None => {
                self.0.update(u64::MAX.to_be_bytes());
                self
            }
        }
    }

    /// Adds a number, or the length of a list that follows.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    /// Ends the encoding.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_cannot_run_into_each_other() {
        let of = |fields: &[Option<&str>]| {
            let mut encoder = Encoder::new("t");
            for field in fields {
                encoder.maybe(*field);
            }
            encoder.finish()
        };
        assert_ne!(of(&[Some("ab"), Some("c")]), of(&[Some("a"), Some("bc")]));
        assert_ne!(of(&[Some("")]), of(&[None]));
        assert_ne!(of(&[Some("a")]), of(&[Some("a"), None]));
        assert_eq!(Digest::parse(&of(&[None]).to_string()), Ok(of(&[None])));
        assert_eq!(Digest::parse("xyz"), Err(BadDigest));
        assert_eq!(Digest::of(b"").to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
