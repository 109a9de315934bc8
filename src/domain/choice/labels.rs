//! What the words of a row mean. What is not on the list means nothing.

use super::standing;
use crate::domain::dialog::DialogKind;
use crate::domain::screen::phrase::fold;
use crate::domain::text::is_unseen;

/// What a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// Yes, this once.
    Yes,
    /// No, this once.
    No,
    /// Something else.
    Other,
}

/// Consent in any agent's dialogs.
const YES: &[&str] = &[
    "yes",
    "yes proceed",
    "yes proceed once",
    "yes once",
    "yes just this once",
    "yes just once",
    "proceed",
    "proceed once",
    "allow",
    "allow once",
    "yes allow",
    "yes allow once",
    "approve",
    "approve once",
    "run",
    "run once",
    "run the tool",
    "accept",
    "accept once",
];
/// Refusal in any agent's dialogs.
const NO: &[&str] = &[
    "no",
    "no suggest changes",
    "no exit",
    "no cancel",
    "no skip",
    "no continue without running it",
    "no continue without permissions",
    "deny",
    "deny once",
    "reject",
    "reject once",
    "cancel",
    "decline",
    "skip",
    "exit",
    "do not allow",
    "don't allow",
    "do not run",
    "don't run",
];

/// Descriptions of rows that answer once and do nothing else.
const DESCRIPTIONS: &[&str] = &[
    "run the tool and continue",
    "run this tool once and continue",
    "run the command and continue",
    "approve and run the command",
    "do not run the command",
    "cancel this tool call",
    "run it once",
    "allow this once",
    "just this once",
    "only this time",
];

/// Further words of one agent kind: (kind, consent, refusal).
const KINDS: &[(&str, &[&str], &[&str])] = &[
    ("codex", &["yes grant these permissions"], &["no ask me to approve edits and commands"]),
    ("cursor", &["run (once)"], &["reject & propose changes"]),
    ("aider", &["y"], &["n"]),
    ("generic", &["y", "continue", "yes (approve once)"], &["n", "abort"]),
];

/// Reads one row. Numbers in front, marks and key hints in brackets do not count.
pub(super) fn read(agent_kind: &str, text: &str) -> Label {
    // The length of any label on the lists and more; nothing longer is taken apart.
    if text.len() > 400 || text.chars().any(is_unseen) || standing::of(DialogKind::Permission, text).is_some() {
        return Label::Other;
    }
    let (label, description) = parts(text);
    if description.is_some_and(|words| !DESCRIPTIONS.contains(&&*plain(words))) {
        return Label::Other;
    }
    let label = plain(label);
    let (yes, no) =
        KINDS.iter().find(|(kind, ..)| *kind == agent_kind).map_or((&[][..], &[][..]), |&(_, yes, no)| (yes, no));
    if YES.contains(&&*label) || yes.contains(&&*label) {
        Label::Yes
    } else if NO.contains(&&*label) || no.contains(&&*label) || tells(&label) {
        Label::No
    } else {
        Label::Other
    }
}

/// `No, and tell Codex what to do differently`.
fn tells(label: &str) -> bool {
    let Some(rest) = label.strip_prefix("no and tell ") else { return false };
    rest.split_once(' ').is_some_and(|(_, what)| matches!(what, "what to do" | "what to do differently"))
}

/// A row's label, and the description that some agents set behind it. What a description adds decides as much as the
/// label: only those that are known add nothing.
fn parts(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    let dash = text.split_once(" — ").or_else(|| text.split_once(" – ")).or_else(|| text.split_once(" - "));
    let columns = || text.split_once("  ");
    match dash.or_else(columns) {
        Some((label, description)) if !plain(label).is_empty() => (label, Some(description)),
        _ => (text, None),
    }
}

/// The label alone: lower case, without number, marks, hints and punctuation.
fn plain(text: &str) -> String {
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(').trim_end();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0
        && let Some(after) = rest[digits..].strip_prefix(['.', ')', ':'])
    {
        rest = after.trim_start();
    }
    while let Some((before, hint)) = trailing_hint(rest) {
        if !is_keys(hint) {
            break;
        }
        rest = before.trim_end();
    }
    fold(&unbracketed(rest).replace([',', '.', '!', ';'], " "))
}

fn trailing_hint(text: &str) -> Option<(&str, &str)> {
    text.strip_suffix(')')?.rsplit_once('(').filter(|(before, _)| !before.is_empty())
}

/// Whether what stands in brackets is names of keys, joined by `+`, `/` or `or`; anything else belongs to the label.
pub(in crate::domain) fn is_keys(hint: &str) -> bool {
    const NAMES: &[&str] =
        &["esc", "escape", "enter", "return", "tab", "space", "shift", "ctrl", "alt", "cmd", "or", "recommended"];
    let parts =
        || hint.split(|c: char| c.is_whitespace() || matches!(c, '+' | '/' | ',')).filter(|part| !part.is_empty());
    parts().next().is_some()
        && parts().all(|part| {
            part.len() == 1 && part.chars().all(|c| c.is_ascii_alphanumeric())
                || NAMES.iter().any(|name| part.eq_ignore_ascii_case(name))
        })
}

/// `(Y)es` is `Yes`.
fn unbracketed(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('('), Some(letter), Some(')')) if letter.is_ascii_alphabetic() => format!("{letter}{}", chars.as_str()),
        _ => text.to_owned(),
    }
}
