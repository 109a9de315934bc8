//! The nine dialog classes of the supervision seed, in their priority order.

mod names;
mod phrases;
mod programs;
mod secrets;

use serde::{Deserialize, Serialize};

use super::dialog::Dialog;
use super::reading::Reading;
use super::subject::{Form, Subject};

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

/// The class of a dialog: the first whose markers match, sought in the parsed command and the target, and where there is
/// neither in title and question.
pub fn classify(dialog: &Dialog, subject: &Subject, reading: Option<&Reading>) -> Class {
    let named = match (reading, subject.form) {
        (Some(reading), _) => of_command(reading),
        (None, Form::Edit | Form::Removal) => of_edit(dialog, subject),
        (None, Form::Command) => phrases::of_text(&dialog.title, &dialog.question).min(Class::CommandExec),
        (None, Form::Fetch) if !subject.urls.is_empty() => of_addresses(&subject.urls),
        (None, _) => phrases::of_text(&dialog.title, &dialog.question),
    };
    if reading.is_some() { beside(named, dialog, subject) } else { named }
}

/// The class of a command in a dialog that is also about something else. What no policy may approve stays what it is;
/// else a request that is several is none of them: who may decide about one sort alone may not decide about another that
/// comes along with it.
fn beside(command: Class, dialog: &Dialog, subject: &Subject) -> Class {
    let other = match subject.form {
        Form::Edit | Form::Removal => of_edit(dialog, subject),
        Form::Fetch if !subject.urls.is_empty() => of_addresses(&subject.urls),
        _ => return command,
    };
    let serious = command.min(other);
    if serious.can_be_scoped() { Class::Unknown } else { serious }
}

/// The class of a command by itself; what nothing marks runs.
pub fn of_command(reading: &Reading) -> Class {
    let certain = || reading.commands.iter().filter(|command| command.certain);
    if certain().any(secrets::in_command) {
        return Class::CredentialAccess;
    }
    certain().map(programs::of_simple).min().unwrap_or(Class::CommandExec)
}

/// What is written may hold a secret as well as where; everything else about the text does not choose the class.
fn of_edit(dialog: &Dialog, subject: &Subject) -> Class {
    let written = [&dialog.title, &dialog.question, &dialog.body];
    if subject.files.iter().any(|file| secrets::in_target(file)) || written.iter().any(|text| secrets::in_text(text)) {
        return Class::CredentialAccess;
    }
    if subject.form == Form::Removal { Class::Deletion } else { Class::FileWrite }
}

fn of_addresses(urls: &[String]) -> Class {
    if urls.iter().any(|url| secrets::in_text(url)) { Class::CredentialAccess } else { Class::NetworkAccess }
}

#[cfg(test)]
mod tests;
