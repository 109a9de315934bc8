//! Raw lines made into safe ones, with counters kept on the way.

use std::ops::Range;

use super::{Change, File, Line};
use crate::domain::text::{Kind, Warning, Warnings, show_marked};

/// As many empty lines in a row fill a phone's screen.
const MAX_EMPTY_LINES: usize = 12;

/// Numbers lines and collects what is found in them.
#[derive(Default)]
pub(super) struct Numbered {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) warnings: Warnings,
    empty_in_a_row: usize,
}

impl Numbered {
    /// The next line. `old` and `new` are the numbers of the lines passed so far.
    pub(super) fn line(&mut self, change: Change, raw: &str, strong: &[Range<usize>]) -> Line {
        // The carriage return of a line end needs its line feed beside it to be known as one.
        let ended = raw.ends_with('\r');
        let raw = if ended { format!("{raw}\n") } else { raw.to_owned() };
        let mut shown = show_marked(&raw, Kind::Document, strong);
        if ended
            && let Some(last) = shown.tokens.last()
            && last.text == "\n"
        {
            shown.tokens.pop();
        }
        self.warnings.merge(&shown.warnings);
        self.watch_padding(change, &raw);
        let (in_old, in_new) = match change {
            Change::Same => (true, true),
            Change::Added => (false, true),
            Change::Removed => (true, false),
            Change::Remark => (false, false),
        };
        self.old += usize::from(in_old);
        self.new += usize::from(in_new);
        Line { change, old: in_old.then_some(self.old), new: in_new.then_some(self.new), tokens: shown.tokens }
    }

    fn watch_padding(&mut self, change: Change, raw: &str) {
        if change == Change::Added && raw.trim().is_empty() {
            self.empty_in_a_row += 1;
            return;
        }
        if self.empty_in_a_row > MAX_EMPTY_LINES {
            let label = format!("{} empty lines", self.empty_in_a_row);
            self.warnings.note(Warning::Padding, &label, "");
        }
        self.empty_in_a_row = 0;
    }
}

/// Counts the added and removed lines of a file.
pub(super) fn count(file: &mut File) {
    let of = |change| file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.change == change).count();
    (file.added, file.removed) = (of(Change::Added), of(Change::Removed));
}

/// The lines of a text without their ends; a last line without an end is told apart.
pub(super) fn split(text: &str) -> (Vec<&str>, bool) {
    if text.is_empty() {
        return (Vec::new(), true);
    }
    match text.strip_suffix('\n') {
        Some(text) => (text.split('\n').collect(), true),
        None => (text.split('\n').collect(), false),
    }
}
