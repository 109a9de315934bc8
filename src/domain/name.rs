//! Names of users, agents, lanes, projects and pane clients.

use serde::{Deserialize, Serialize};

/// A name that fits `[a-z0-9][a-z0-9._-]{0,62}` (contract, section 1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// The text is no name; the message says what one looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name starts with a-z or 0-9, goes on with a-z, 0-9, '.', '_' or '-', and has at most 63 characters")]
pub struct BadName;

impl Name {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, BadName> {
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit();
        let bytes = text.as_bytes();
        let fits = bytes.first().is_some_and(|&c| plain(c))
            && bytes.len() <= 63
            && bytes.iter().all(|&c| plain(c) || matches!(c, b'.' | b'_' | b'-'));
        if fits { Ok(Self(text.to_owned())) } else { Err(BadName) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = BadName;
    fn try_from(text: String) -> Result<Self, BadName> {
        Self::parse(&text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for Name {
    type Err = BadName;
    fn from_str(text: &str) -> Result<Self, BadName> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_follow_the_contract() {
        let longest = "a".repeat(63);
        for good in ["a", "0", "api-1", "a.b_c", longest.as_str()] {
            assert!(Name::parse(good).is_ok(), "{good}");
        }
        let too_long = "a".repeat(64);
        for bad in ["", "-a", ".a", "A", "a b", "ä", "a/b", "a\n", too_long.as_str()] {
            assert!(Name::parse(bad).is_err(), "{bad}");
        }
    }
}
