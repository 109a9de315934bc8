//! The nine dialog classes of the supervision seed, in their priority order.

use serde::{Deserialize, Serialize};

/// What a dialog asks for; declared in the order in which a dialog is matched, first match wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Secrets: tokens, keys, `.env`, keychains.
    CredentialAccess,
    /// Sends to a remote: pushes, releases.
    PushRemote,
    /// Brings software onto the machine.
    Install,
    /// Camera, screen, system settings.
    DeviceAccess,
    /// Reaches another host.
    NetworkAccess,
    /// Removes files.
    Deletion,
    /// Writes files.
    FileWrite,
    /// Runs a command.
    CommandExec,
    /// None of the above.
    Unknown,
}

impl Class {
    /// Every class, in priority order.
    pub const ALL: &[Self] = &[
        Self::CredentialAccess,
        Self::PushRemote,
        Self::Install,
        Self::DeviceAccess,
        Self::NetworkAccess,
        Self::Deletion,
        Self::FileWrite,
        Self::CommandExec,
        Self::Unknown,
    ];

    /// The word on the wire, in the database and in grants.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CredentialAccess => "credential_access",
            Self::PushRemote => "push_remote",
            Self::Install => "install",
            Self::DeviceAccess => "device_access",
            Self::NetworkAccess => "network_access",
            Self::Deletion => "deletion",
            Self::FileWrite => "file_write",
            Self::CommandExec => "command_exec",
            Self::Unknown => "unknown",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.as_str() == word)
    }

    /// Whether a request of this class can be proven to stay inside at all (contract, section 6): what never can be,
    /// no policy may approve.
    pub const fn can_be_scoped(self) -> bool {
        matches!(self, Self::NetworkAccess | Self::Deletion | Self::FileWrite | Self::CommandExec)
    }
}
