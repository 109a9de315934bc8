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

pub(super) fn is_command(title: &Text, question: &Text) -> bool {
    title.is(TITLES) || question.starts(QUESTIONS)
}

/// The command in the body, if it is the body's only line. A description under it cannot be told from a second command:
/// on a volume that ignores case nearly every first word may be a program.
pub(super) fn of_body(dialog: &Dialog, subject: &mut Subject) {
    subject.form = Form::Command;
    let mut lines = shown_lines(&dialog.body);
    let Some(first) = lines.next() else { return };
    if lines.next().is_none() {
        subject.command = Some(first.to_owned());
    } else {
        subject.command = whole(dialog);
        subject.doubt = Some(Doubt::WhichLine);
    }
}

/// All of the body, so that class and veto see every line.
pub(super) fn whole(dialog: &Dialog) -> Option<String> {
    let body = dialog.body.trim();
    (!body.is_empty()).then(|| body.to_owned())
}
