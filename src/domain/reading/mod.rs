//! A tolerant reading of a command: everything in it that could run, for the class and the veto.
//!
//! It proves nothing. Where the strict reader refuses, this one still finds the words: quotes and backslashes removed,
//! nested shells and substitutions opened, wrappers looked behind. In doubt it finds too much.

mod ansi_c;
mod braces;
mod heads;
mod heredoc;
mod nested;
mod quotes;
mod scan;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use heads::{is_shell, starts};
pub use nested::is_text;

/// How deep nested shells are opened; what lies deeper is read flat.
const MAX_DEPTH: u8 = 8;
/// How many times its own length may be read again while opening what is nested.
const MAX_AGAIN: usize = 16;

/// One word, quotes removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its text.
    pub text: String,
    /// Some of it was quoted or escaped.
    pub quoted: bool,
    /// Only the shell knows all of it: an expansion, a substitution, a pattern.
    pub open: bool,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The command and its arguments.
    pub words: Vec<Word>,
    /// Assignments before the command.
    pub assigned: Vec<Word>,
    /// What redirections name.
    pub targets: Vec<Word>,
    /// Here-documents, which are data unless a shell reads them.
    documents: Vec<String>,
    /// It would run; otherwise it is text that another program may take for a command.
    pub certain: bool,
    /// Behind `sudo`.
    pub raised: bool,
}

/// All commands found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// In the order found; the nested ones later.
    pub commands: Vec<Simple>,
}

/// A text still to be read.
struct Piece<'a> {
    text: Cow<'a, str>,
    depth: u8,
    certain: bool,
    raised: bool,
}

impl<'a> Piece<'a> {
    fn inner(&self, text: impl Into<Cow<'a, str>>, certain: bool) -> Self {
        Self { text: text.into(), depth: self.depth + 1, certain: certain && self.certain, raised: self.raised }
    }
}

/// Reads a text of any length. Linear: each level is read once, and the levels are bounded.
pub fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut left = (text.len() + 64) * MAX_AGAIN;
    let mut pieces = vec![Piece { text: Cow::Borrowed(text), depth: 0, certain: true, raised: false }];
    // Text that only a shell at the end of a pipe would run.
    let mut data: Vec<String> = Vec::new();
    let mut feeds_shell = false;
    loop {
        let Some(piece) = pieces.pop() else {
            if !feeds_shell || data.is_empty() {
                return reading;
            }
            let text = |text: String| Piece { text: text.into(), depth: MAX_DEPTH, certain: false, raised: false };
            pieces.extend(std::mem::take(&mut data).into_iter().map(text));
            continue;
        };
        if piece.text.len() > left {
            // Even a bound that is passed does not stop the scan: the rest is read flat, nothing is opened.
            flat(&piece, &mut reading);
            continue;
        }
        left -= piece.text.len();
        let found = scan::scan(&piece.text);
        if found.unclosed || piece.depth >= MAX_DEPTH {
            flat(&piece, &mut reading);
        }
        let mut commands = found.commands;
        for command in &mut commands {
            command.certain = piece.certain;
            command.raised = piece.raised;
            if piece.depth < MAX_DEPTH {
                let inner = nested::of(command);
                feeds_shell |= inner.feeds_shell;
                data.extend(inner.data);
                for (text, certain, raised) in inner.texts {
                    let mut next = piece.inner(text, certain);
                    next.raised |= raised;
                    pieces.push(next);
                }
            }
        }
        if piece.depth < MAX_DEPTH {
            pieces.extend(found.substitutions.into_iter().map(|text| piece.inner(text, true)));
        }
        reading.commands.append(&mut commands);
    }
}

/// Every sign that groups or quotes taken for a blank: no structure, but every word is seen.
fn flat(piece: &Piece<'_>, reading: &mut Reading) {
    let plain: String = piece
        .text
        .chars()
        .map(|c| if matches!(c, '\'' | '"' | '`' | '\\' | '$' | '{' | '}') { ' ' } else { c })
        .collect();
    let found = scan::scan(&plain).commands;
    reading.commands.extend(found.into_iter().map(|command| Simple { raised: piece.raised, ..command }));
}

impl Word {
    /// The program that a word at a command's place names: its last path component, lower-cased, because a volume may
    /// not tell the cases apart.
    pub fn program(&self) -> Cow<'_, str> {
        let base = self.text.rsplit('/').next().unwrap_or(&self.text);
        if base.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(base.to_ascii_lowercase())
        } else {
            Cow::Borrowed(base)
        }
    }
}
