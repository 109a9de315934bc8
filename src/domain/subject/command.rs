//! Commands in dialogs whose client could not tell the command from the text around it.

use super::{Doubt, Form, Subject, Text, shown_lines};
use crate::domain::dialog::Dialog;

/// Titles of dialogs that run a command.
const TITLES: &[&str] = &[
    "bash command",
    "bash",
    "shell",
    "shell command",
    "run command",
    "run this command",
    "terminal",
    "command",
    "execute command",
    "run shell command",
    "would you like to run the following command",
];
/// Questions that speak of one.
const QUESTIONS: &[&str] = &[
    "run this command",
    "do you want to run this command",
    "would you like to run the following command",
    "run shell command",
    "allow execution of [shell]",
];

/// First words that look like the beginning of a sentence and are programs on a volume that ignores case.
const PROGRAMS: &[&str] = &[
    "make", "cat", "find", "test", "sort", "time", "kill", "git", "go", "node", "rm", "ls", "cp", "mv", "sh", "bash",
    "env", "install", "touch", "open", "say", "split", "cut", "head", "tail", "less", "more", "watch", "which", "who",
    "at", "patch", "type", "read", "set", "source", "eval", "exec", "export", "printf", "echo", "curl", "wget",
    "python", "ruby", "perl", "docker", "npm", "yarn", "cargo", "dig", "host", "link", "unlink", "join", "script",
    "join", "yes", "tee", "tr", "wait", "clear", "reset", "mount", "diff", "grep", "sed", "awk", "date", "dd", "chmod",
    "chown", "ln", "file", "expand", "look", "last", "apply", "write", "mail", "batch", "fold", "column", "comm",
    "nice", "nohup", "stop", "start", "service", "shutdown",
];

pub(super) fn is_command(title: &Text, question: &Text) -> bool {
    title.is(TITLES) || question.starts(QUESTIONS)
}

/// The command in the body: its one line, or its first with one line of description under it.
pub(super) fn of_body(dialog: &Dialog, subject: &mut Subject) {
    subject.form = Form::Command;
    let mut lines = shown_lines(&dialog.body);
    let Some(first) = lines.next() else { return };
    let described = match (lines.next(), lines.next()) {
        (None, _) => true,
        (Some(line), None) => is_description(line),
        (Some(_), Some(_)) => false,
    };
    if described {
        subject.command = Some(first.to_owned());
    } else {
        // All of it, so that class and veto see every line.
        subject.command = Some(dialog.body.trim().to_owned());
        subject.doubt = Some(Doubt::WhichLine);
    }
}

/// A sentence as agents write them under a command: a capital, several plain words, and no program's name in front.
fn is_description(line: &str) -> bool {
    let mut chars = line.chars();
    let capital =
        chars.next().is_some_and(|c| c.is_ascii_uppercase()) && chars.next().is_some_and(|c| c.is_ascii_lowercase());
    let plain = line.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '\'' | '-' | ':'));
    let first = line.split(' ').next().unwrap_or_default().to_ascii_lowercase();
    capital && plain && line.contains(' ') && !PROGRAMS.contains(&first.as_str())
}
