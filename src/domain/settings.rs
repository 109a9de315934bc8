//! What the local admin may tune, with its shipped values and bounds.

use serde::{Deserialize, Serialize};

use super::ask::WAIT_MAX;
use super::verdict::words;

words! {
    /// The shape of a notice to the outside.
    NotifyFormat {
        /// As ntfy takes it: the text is the body, the rest are headers.
        Ntfy "ntfy",
        /// A JSON object.
        Webhook "webhook",
    }
}

/// The local settings (`countersign settings show|set`). A stored one may have been written by a newer server: what this
/// one does not know is no error there, only in a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Settings {
    /// Days after which the content of closed and collected proposals, and old journal payloads, are redacted. 1–3650.
    pub retention_days: u32,
    /// Proposals that a new agent may have in flight. 1–1000.
    pub agent_cap: u32,
    /// Seconds that a proposal over MCP waits for its decision when the agent does not say. 0–45.
    pub grace_secs: u32,
    /// Seconds for which a decision that an agent has collected over MCP is given again: its reply may have been lost.
    /// 0–86400; with 0 it is given once.
    pub redelivery_secs: u32,
    /// Where a POST goes when a person is needed; null is nowhere.
    pub notify_url: Option<String>,
    /// Its shape.
    pub notify_format: NotifyFormat,
    /// Host names, addresses and networks beside the public internet that it may go to, and by plain http.
    pub notify_allow: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            retention_days: 90,
            agent_cap: 20,
            grace_secs: 30,
            redelivery_secs: 600,
            notify_url: None,
            notify_format: NotifyFormat::Ntfy,
            notify_allow: Vec::new(),
        }
    }
}

impl Settings {
    /// Checks the bounds; the error is the field and what it takes.
    pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
        if !(1..=3650).contains(&self.retention_days) {
            return Err(("retention_days", "takes 1 to 3650 days"));
        }
        if !(1..=1000).contains(&self.agent_cap) {
            return Err(("agent_cap", "takes 1 to 1000 proposals"));
        }
        if self.grace_secs > WAIT_MAX {
            return Err(("grace_secs", "takes 0 to 45 seconds"));
        }
        if self.redelivery_secs > 86_400 {
            return Err(("redelivery_secs", "takes 0 to 86400 seconds"));
        }
        if self.notify_url.as_ref().is_some_and(|url| url.len() > 2048) {
            return Err(("notify_url", "takes at most 2048 bytes"));
        }
        if self.notify_allow.len() > 50 {
            return Err(("notify_allow", "takes at most 50 entries"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_newer_server_stored_can_be_read() {
        let stored = r#"{"retention_days": 7, "from_next_year": {"on": true}}"#;
        let read: Settings = serde_json::from_str(stored).unwrap();
        assert_eq!(read, Settings { retention_days: 7, ..Settings::default() });
    }
}
