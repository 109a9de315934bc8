//! Dialogs that write or remove a file: which one.

use super::{Doubt, Form, Subject, Text, after, patch, shown_lines};
use crate::domain::dialog::Dialog;

/// Titles of dialogs that write.
const TITLES: &[&str] = &[
    "edit file",
    "edit",
    "create file",
    "write file",
    "writefile",
    "write",
    "multiedit",
    "apply patch",
    "apply_patch",
    "update file",
    "overwrite file",
    "notebook edit",
    "edit notebook",
    "replace",
];
/// What the question says in front of the file.
const BEFORE_FILE: &[&str] = &[
    "do you want to make this edit to ",
    "do you want to create ",
    "do you want to overwrite ",
    "do you want to write to ",
    "do you want to edit ",
];
/// Questions without a file in them.
const QUESTIONS: &[&str] = &[
    "would you like to make the following edits",
    "apply this change",
    "apply patch",
    "do you want to make this edit",
];
/// Titles that name the file themselves.
const TITLED: &[&str] = &["→ edit ", "→ write ", "writefile  writing to ", "writing to "];

/// What a question about a removal says in front of the file.
const BEFORE_REMOVED: &[&str] = &["do you want to delete ", "delete file "];

pub(super) fn is_removal(title: &Text, question: &Text) -> bool {
    title.is(&["delete file", "remove file"]) || question.starts(BEFORE_REMOVED)
}

pub(super) fn is_edit(title: &Text, question: &Text) -> bool {
    title.starts(TITLED) || title.is(TITLES) || question.starts(BEFORE_FILE) || question.starts(QUESTIONS)
}

/// What the question names, and what the body does. One line of the body is the file; more are not understood.
pub(super) fn removal(dialog: &Dialog) -> Subject {
    let mut subject = Subject { form: Form::Removal, ..Subject::default() };
    if let Some(name) = after(&dialog.question, BEFORE_REMOVED) {
        add(&mut subject.files, name);
    }
    let mut lines = shown_lines(&dialog.body);
    if let Some(line) = lines.next() {
        add(&mut subject.files, line);
    }
    if lines.next().is_some() {
        subject.doubt = Some(Doubt::UnreadPatch);
    }
    subject
}

/// Every file that any part of the dialog names; all of them have to be proven. A bare name needs the body's word for
/// its folder.
pub(super) fn edit(dialog: &Dialog) -> Subject {
    let titled = after(&dialog.title, TITLED);
    let asked = after(&dialog.question, BEFORE_FILE);
    let named: Vec<&str> = titled.into_iter().chain(asked).collect();
    let patch = patch::read(&dialog.body, &named);
    let mut subject = Subject { form: Form::Edit, doubt: patch.doubt, ..Subject::default() };
    if let Some(path) = titled {
        // Agents that name the file in the title give its path from the working folder.
        add(&mut subject.files, path);
    }
    match asked {
        Some(name) if name.contains('/') => add(&mut subject.files, name),
        Some(name) => {
            let placed = patch.files.iter().chain(&subject.files).any(|file| base(file) == name);
            let created = after(&dialog.question, &["do you want to create "]).is_some();
            if created && shown_lines(&dialog.body).next().is_none() {
                add(&mut subject.files, name);
            } else if !placed {
                add(&mut subject.files, name);
                // Of what holds anyway, the sentence that helps more.
                subject.doubt = subject.doubt.filter(|doubt| *doubt == Doubt::Removes).or(Some(Doubt::WhichFolder));
            }
        }
        None => {}
    }
    patch.files.iter().for_each(|file| add(&mut subject.files, file));
    subject
}

pub(super) fn add(files: &mut Vec<String>, file: &str) {
    if files.iter().all(|known| known != file) {
        files.push(file.to_owned());
    }
}

pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
