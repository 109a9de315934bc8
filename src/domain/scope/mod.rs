//! Proof that a request, as it is written, stays inside the lane's worktree or its repository: or the reasons why not.
//!
//! It says nothing about what a test or a build does once it runs. Every rule is positive: what is not known to be
//! inside and harmless is a reason to hold.

mod command;
mod effects;
mod ground;
mod line;
mod names;
mod paths;
mod places;
mod secrets;
mod seen;
mod settings;
mod urls;

#[cfg(test)]
mod tests;

pub use effects::effects;
pub use line::needed;
pub use places::{Places, components};
pub use seen::{Seen, SeenPath, seen};

use super::class::Class;
use super::dialog::Dialog;
use super::subject::Subject;
use super::verdict::Reason;
use ground::Ground;

/// More reasons than these help nobody.
const MAX_REASONS: usize = 8;

/// A request of this class was proven to stay inside. Only [`prove`] makes one.
#[derive(Debug, PartialEq, Eq)]
pub struct Proof(Class);

impl Proof {
    /// The class that it was proven for.
    pub const fn class(&self) -> Class {
        self.0
    }
}

/// Proves that a dialog's subject stays inside, or says why that cannot be proven; the first reasons matter most.
pub fn prove(class: Class, subject: &Subject, dialog: &Dialog, network_hosts: &[String]) -> Result<Proof, Vec<Reason>> {
    let mut reasons = match class {
        Class::CommandExec => commands(subject, dialog),
        Class::FileWrite => writes(subject, dialog),
        Class::Deletion => deletions(subject, dialog),
        Class::NetworkAccess => fetches(subject, dialog, network_hosts),
        Class::CredentialAccess | Class::PushRemote | Class::Install | Class::DeviceAccess | Class::Unknown => {
            vec![never(class)]
        }
    };
    reasons.extend(subject.doubt.map(|doubt| {
        let (code, text) = doubt.words();
        reason(code, text)
    }));
    if dialog.truncated {
        reasons.push(reason("truncated", "The dialog could not be read to its end."));
    }
    if reasons.is_empty() {
        return Ok(Proof(class));
    }
    let mut seen = std::collections::BTreeSet::new();
    reasons.retain(|reason| seen.insert(reason.text.clone()));
    reasons.truncate(MAX_REASONS);
    Err(reasons)
}

fn commands(subject: &Subject, dialog: &Dialog) -> Vec<Reason> {
    match &subject.command {
        Some(command) => command::reasons(command, dialog, command::Purpose::Run),
        None => vec![reason("no_command", "The dialog does not say which command would run.")],
    }
}

fn writes(subject: &Subject, dialog: &Dialog) -> Vec<Reason> {
    let mut reasons = targets(subject, dialog);
    if let Some(command) = &subject.command {
        reasons.extend(command::reasons(command, dialog, command::Purpose::Run));
    }
    reasons
}

fn deletions(subject: &Subject, dialog: &Dialog) -> Vec<Reason> {
    let Some(command) = &subject.command else { return targets(subject, dialog) };
    let mut reasons = command::reasons(command, dialog, command::Purpose::Remove);
    if !subject.files.is_empty() {
        reasons.extend(targets(subject, dialog));
    }
    reasons
}

fn fetches(subject: &Subject, dialog: &Dialog, network_hosts: &[String]) -> Vec<Reason> {
    let mut urls: Vec<String> = subject.urls.clone();
    let mut reasons = Vec::new();
    if let Some(command) = &subject.command {
        reasons.extend(command::reasons(command, dialog, command::Purpose::Fetch));
        urls.extend(urls::named_in(command));
    }
    if urls.is_empty() && reasons.is_empty() {
        reasons.push(reason("no_address", "The dialog does not say which address would be reached."));
    }
    reasons.extend(urls.iter().filter_map(|url| urls::refused(url, network_hosts)));
    reasons
}

/// The files of an edit, each to be proven as written.
fn targets(subject: &Subject, dialog: &Dialog) -> Vec<Reason> {
    if subject.files.is_empty() {
        return vec![reason("no_target", "The dialog does not say which file would be written.")];
    }
    match Ground::of(dialog) {
        Ok(ground) => subject.files.iter().filter_map(|file| ground.target(file).err()).collect(),
        Err(reasons) => reasons,
    }
}

fn never(class: Class) -> Reason {
    let text = match class {
        Class::CredentialAccess => "It touches credentials; that always needs a person.",
        Class::PushRemote => "It sends to a remote; that always needs a person.",
        Class::Install => "It installs software; that always needs a person.",
        Class::DeviceAccess => "It reaches a device or a setting of the system; that always needs a person.",
        _ => "What it asks for was not recognised.",
    };
    reason("never_scoped", text)
}

/// A reason by its stable word and its sentence.
fn reason(code: &str, text: impl Into<String>) -> Reason {
    Reason { code: code.to_owned(), text: text.into() }
}
