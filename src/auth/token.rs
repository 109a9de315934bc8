//! Bearer tokens of agents and pane clients: how they look, and what of them is stored.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::clock::secret_bytes;

/// What every agent's token starts with, so that scanners for leaked secrets know it.
const AGENT: &str = "csa_";
/// What every pane client's long-lived token starts with.
const PANE_CLIENT: &str = "csp_";
/// The characters behind the prefix: 256 bits.
const SECRET: usize = 43;

/// A token at the one moment when it is known in full.
pub struct FreshToken {
    /// What its owner sends. Shown once.
    pub text: String,
    /// What is stored.
    pub hash: [u8; 32],
    /// The last four characters.
    pub hint: String,
}

impl FreshToken {
    /// 256 random bits for an agent.
    pub fn for_agent() -> Self {
        Self::new(AGENT)
    }

    /// 256 random bits for a pane client.
    pub fn for_pane_client() -> Self {
        Self::new(PANE_CLIENT)
    }

    fn new(prefix: &str) -> Self {
        let text = format!("{prefix}{}", secret_text());
        let hint = text[text.len() - 4..].to_owned();
        Self { hash: hash(&text), hint, text }
    }
}

impl std::fmt::Debug for FreshToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FreshToken(…{})", self.hint)
    }
}

/// 256 random bits as 43 characters that need no quoting anywhere.
pub fn secret_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(secret_bytes())
}

/// SHA-256; enough for secrets of 256 random bits.
pub fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Whether a text could be an agent's token at all.
pub fn is_agent_token(text: &str) -> bool {
    is_token(text, AGENT)
}

/// Whether a text could be a pane client's long-lived token at all.
pub fn is_pane_client_token(text: &str) -> bool {
    is_token(text, PANE_CLIENT)
}

fn is_token(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|secret| {
        secret.len() == SECRET && secret.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'))
    })
}
