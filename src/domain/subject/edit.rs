//! Dialogs that write or remove a file: which one.

use super::{Doubt, Form, Subject, Text, after, shown_lines};
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

/// Lines of a patch that name a file.
const PATCH_LINES: &[&str] = &["*** Update File: ", "*** Add File: ", REMOVES, "*** Move to: ", "Destination: "];
/// The one that removes it.
const REMOVES: &str = "*** Delete File: ";

/// More lines than these are no head any more.
const HEADS: usize = 32;

/// What a question about a removal says in front of the file.
const BEFORE_REMOVED: &[&str] = &["do you want to delete ", "delete file "];

pub(super) fn is_removal(title: &Text, question: &Text) -> bool {
    title.is(&["delete file", "remove file"]) || question.starts(BEFORE_REMOVED)
}

pub(super) fn is_edit(title: &Text, question: &Text) -> bool {
    title.starts(TITLED) || title.is(TITLES) || question.starts(BEFORE_FILE) || question.starts(QUESTIONS)
}

pub(super) fn removal(dialog: &Dialog) -> Subject {
    let files = after(&dialog.question, BEFORE_REMOVED)
        .or_else(|| shown_lines(&dialog.body).next())
        .map(str::to_owned)
        .into_iter()
        .collect();
    Subject { files, form: Form::Removal, ..Subject::default() }
}

/// Every file that any part of the dialog names; all of them have to be proven. A bare name needs the body's word for
/// its folder.
pub(super) fn edit(dialog: &Dialog) -> Subject {
    let mut subject = Subject { form: Form::Edit, files: patched(&dialog.body), ..Subject::default() };
    if shown_lines(&dialog.body).any(|line| line.starts_with(REMOVES)) {
        subject.doubt = Some(Doubt::Removes);
    }
    let first = shown_lines(&dialog.body).next();
    // Whatever stands at the head of the body like a path is one that the edit may touch.
    let heads = shown_lines(&dialog.body).take_while(|line| is_path(line)).take(HEADS);
    if let Some(path) = after(&dialog.title, TITLED) {
        // Agents that name the file in the title give its path from the working folder.
        add(&mut subject.files, path);
    }
    let asked = after(&dialog.question, BEFORE_FILE);
    match asked {
        Some(name) if name.contains('/') => add(&mut subject.files, name),
        Some(name) => match first {
            Some(line) if base(line) == name => add(&mut subject.files, line),
            None if after(&dialog.question, &["do you want to create "]).is_some() => add(&mut subject.files, name),
            _ if subject.files.iter().any(|file| base(file) == name) => {}
            _ => {
                add(&mut subject.files, name);
                subject.doubt = Some(Doubt::WhichFolder);
            }
        },
        None => {}
    }
    heads.for_each(|line| add(&mut subject.files, line));
    subject
}

fn add(files: &mut Vec<String>, file: &str) {
    if files.iter().all(|known| known != file) {
        files.push(file.to_owned());
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The files of a patch or of a list of changes such as `src/queue.rs (+3 -1)`.
fn patched(body: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in shown_lines(body) {
        let named = PATCH_LINES.iter().find_map(|start| line.strip_prefix(start));
        let named = named.or_else(|| counted(line)).or_else(|| header(line));
        if let Some(file) = named {
            add(&mut files, file.trim());
        }
    }
    files
}

/// `+++ b/PATH` and `--- a/PATH`; no file is `/dev/null`.
fn header(line: &str) -> Option<&str> {
    let path = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("--- "))?;
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    (is_path(path) && path != "/dev/null").then_some(path)
}

/// `PATH (+3 -1)`.
fn counted(line: &str) -> Option<&str> {
    let (path, counts) = line.strip_suffix(')')?.rsplit_once(" (")?;
    let number = |text: &str, sign: char| {
        text.strip_prefix(sign).is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let (plus, minus) = counts.split_once(' ')?;
    (number(plus, '+') && number(minus, '-')).then_some(path)
}

/// One word that looks like a path and not like a line of a diff.
fn is_path(line: &str) -> bool {
    !line.contains(char::is_whitespace)
        && !line.starts_with(['+', '-', '@', '(', '*'])
        && (line.contains('/') || line.contains('.'))
}
