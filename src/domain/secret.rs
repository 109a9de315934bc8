//! A text that must not get into a log: it has to be asked for by name, and debugging output does not have it.

use serde::{Deserialize, Serializer};

/// A password, a token, or a password's hash.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// For the one answer that hands a secret over: `#[serde(serialize_with = "Secret::hand_over")]`.
    pub fn hand_over<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_output_has_no_secret() {
        let read: Secret = serde_json::from_str("\"nine quiet otters\"").unwrap();
        assert_eq!(read.reveal(), "nine quiet otters");
        assert_eq!(format!("{:?} {:#?}", read, Some(&read)), "… Some(\n    …,\n)");
    }
}
