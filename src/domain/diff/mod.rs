//! A change as data for pages: files, hunks and lines, every line already safe to show.

mod compare;
mod header;
mod lines;
mod patch;
mod special;

pub use compare::compare;
pub use patch::parse;
pub use special::Note;

use super::text::{Shown, Token, Warnings};

/// Texts over these limits unlock their buttons only after the last part was on screen.
const LONG_BYTES: usize = 64 * 1024;
const LONG_LINES: usize = 5_000;

/// Whether a text is so long that it must have been scrolled through before it can be approved.
pub fn is_long(text: &str) -> bool {
    text.len() > LONG_BYTES || text.split('\n').count() > LONG_LINES
}

/// A whole change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// Text that stands before the first file of a patch, such as its commit message.
    pub preamble: Shown,
    /// The files, in the order given.
    pub files: Vec<File>,
    /// Lines added in all files.
    pub added: usize,
    /// Lines removed in all files.
    pub removed: usize,
    /// What was found in any of the lines.
    pub warnings: Warnings,
    /// A patch exactly as it came, so that no way of reading it can hide anything; empty for two compared texts.
    pub as_sent: Shown,
}

/// One file of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Its name; empty when the change names none.
    pub name: Shown,
    /// Its name before, when it is another one.
    pub old_name: Shown,
    /// What is special about it.
    pub notes: Vec<Note>,
    /// The changed stretches.
    pub hunks: Vec<Hunk>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// A stretch of lines, with the unchanged lines before it folded away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// How many unchanged lines lie between the stretch before and this one.
    pub skipped: usize,
    /// Those lines, when they are known (a patch does not carry them).
    pub folded: Vec<Line>,
    /// What the patch says about the place, such as the function's name.
    pub section: Shown,
    /// The lines of the stretch; empty when only unchanged lines follow at the end.
    pub lines: Vec<Line>,
}

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Same,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is no line of the file but a remark of the patch, shown as it came.
    Remark,
}

/// One line, safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What happened to it.
    pub change: Change,
    /// Its number before, if it was there.
    pub old: Option<usize>,
    /// Its number after, if it is there.
    pub new: Option<usize>,
    /// The text without its line end.
    pub tokens: Vec<Token>,
}

impl Diff {
    /// Sums up the files.
    fn of(preamble: Shown, files: Vec<File>, mut warnings: Warnings) -> Self {
        warnings.merge(&preamble.warnings);
        for file in &files {
            warnings.merge(&file.name.warnings);
            warnings.merge(&file.old_name.warnings);
        }
        let added = files.iter().map(|file| file.added).sum();
        let removed = files.iter().map(|file| file.removed).sum();
        Self { preamble, files, added, removed, warnings, as_sent: Shown::default() }
    }
}

#[cfg(test)]
mod tests;
