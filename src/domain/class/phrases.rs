//! Markers in a dialog's own words, for dialogs that name neither a command nor a target.

use super::{Class, programs, secrets};

/// By class, in priority order: sequences of whole words.
const PHRASES: &[(Class, &[&str])] = &[
    (Class::PushRemote, &["git push", "gh pr", "gh release", "git remote"]),
    (
        Class::Install,
        &[
            "npm install",
            "npm i",
            "pnpm add",
            "bun add",
            "yarn add",
            "cargo install",
            "brew install",
            "pip install",
            "apt install",
            "apt get install",
            "gem install",
        ],
    ),
    (
        Class::DeviceAccess,
        &[
            "osascript",
            "camera",
            "microphone",
            "screen recording",
            "screencapture",
            "system_profiler",
            "system profiler",
            "defaults write",
        ],
    ),
    (Class::NetworkAccess, &["curl", "wget", "nc", "ssh", "network access"]),
    (Class::Deletion, &["rm", "unlink", "git clean", "delete file"]),
    (
        Class::FileWrite,
        &[
            "edit file",
            "create file",
            "apply patch",
            "multiedit",
            "write",
            "make this edit",
            "do you want to create",
            "make the following edits",
            "write file",
            "writefile",
        ],
    ),
    (
        Class::CommandExec,
        &[
            "bash command",
            "run command",
            "run tool",
            "requesting permission",
            "wants to run",
            "run this command",
            "run the following command",
            "run shell command",
            "shell command",
        ],
    ),
];

/// The class by title and question alone.
pub(super) fn of_text(title: &str, question: &str) -> Class {
    if secrets::in_text(title) || secrets::in_text(question) {
        return Class::CredentialAccess;
    }
    let texts = [folded(title), folded(question)];
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| texts.iter().any(|text| has_words(text, phrase)));
    let address = || programs::has_address(title) || programs::has_address(question);
    PHRASES
        .iter()
        .find(|(class, phrases)| has(phrases) || (*class == Class::NetworkAccess && address()))
        .map_or(Class::Unknown, |(class, _)| *class)
}

/// Lower case, with one blank for everything between words, and one at each end.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

fn has_words(folded: &str, phrase: &str) -> bool {
    folded
        .match_indices(phrase)
        .any(|(at, _)| folded[..at].ends_with(' ') && folded[at + phrase.len()..].starts_with(' '))
}
