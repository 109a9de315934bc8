//! Whether what was captured is what stands there: whole, unfolded, and without characters that hide or move others.

mod folds;

use unicode_normalization::{IsNormalized, is_nfc_quick};

use super::dialog::Dialog;
use super::subject::{Form, Subject};
use super::text::{is_blank, is_unseen};
use super::verdict::Reason;

/// More blanks in a row than this push what follows out of sight.
const MAX_BLANKS: usize = 12;

/// What is wrong with a capture; nothing, if it is whole.
pub fn faults(dialog: &Dialog, subject: &Subject) -> Vec<Reason> {
    let mut faults = Vec::new();
    if dialog.truncated {
        note(&mut faults, "truncated", "The client could not read all of the dialog.");
    }
    for text in [&dialog.title, &dialog.question, dialog.command.as_ref().unwrap_or(&dialog.title)] {
        line(text, &mut faults);
    }
    body(&dialog.body, subject, &mut faults);
    if let Some(command) = &subject.command {
        command_text(command, &mut faults);
    }
    if folds::in_path(&dialog.title) || folds::in_path(&dialog.question) {
        note(&mut faults, "folded", "A part of the text is folded away.");
    }
    faults
}

fn note(faults: &mut Vec<Reason>, code: &str, text: &str) {
    if faults.iter().all(|fault| fault.code != code) {
        faults.push(Reason { code: code.to_owned(), text: text.to_owned() });
    }
}

/// Title, question and command: nothing is folded, nothing is hidden.
fn line(text: &str, faults: &mut Vec<Reason>) {
    characters(text, faults);
    if text.contains('…') || folds::in_line(text) {
        note(faults, "folded", "A part of the text is folded away.");
    }
}

fn body(text: &str, subject: &Subject, faults: &mut Vec<Reason>) {
    characters(text, faults);
    // A diff may contain the sign as text of a file; in everything else it stands for what is not shown.
    let cut = subject.form != Form::Edit && text.contains('…');
    if cut || text.lines().any(folds::is_fold) {
        note(faults, "folded", "A part of the text is folded away.");
    }
}

fn command_text(command: &str, faults: &mut Vec<Reason>) {
    if command.trim().contains(['\n', '\r']) {
        note(faults, "line_break", "The command has a line break, which may be the screen's and not the command's.");
    }
    let mut run = 0;
    let padded = command.chars().any(|c| {
        run = if c.is_whitespace() || is_blank(c) { run + 1 } else { 0 };
        run > MAX_BLANKS
    });
    if padded || command.contains('\t') {
        note(faults, "padding", "Blanks push a part of the command out of sight.");
    }
}

/// Control, bidi, zero-width and private characters, blanks that are none to a shell, and letters in an unusual form.
fn characters(text: &str, faults: &mut Vec<Reason>) {
    if text.is_ascii() {
        if text.bytes().any(|b| b.is_ascii_control() && !matches!(b, b'\n' | b'\t')) {
            hidden(faults);
        }
        return;
    }
    if text.chars().any(|c| (is_unseen(c) || (is_blank(c) && c != ' ') || is_private(c)) && !matches!(c, '\n' | '\t')) {
        hidden(faults);
    }
    if is_nfc_quick(text.chars()) != IsNormalized::Yes {
        note(faults, "not_normal", "Letters are written in a form that looks like another text.");
    }
}

fn hidden(faults: &mut Vec<Reason>) {
    note(faults, "hidden_characters", "The text has characters that a screen hides or moves.");
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests;
