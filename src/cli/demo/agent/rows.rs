//! Rows of a screen: text broken at the pane's width, each piece with its look.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a piece of a row looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Plain,
    Dim,
    Inverse,
}

/// One row.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pieces: Vec<(Look, String)>,
}

impl Row {
    /// A row without a look of its own.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::default().with(Look::Plain, text.into())
    }

    /// A faint row.
    pub(super) fn dim(text: impl Into<String>) -> Self {
        Self::default().with(Look::Dim, text.into())
    }

    fn with(mut self, look: Look, text: String) -> Self {
        self.pieces.push((look, text));
        self
    }

    /// The row and, behind it, the block that shows where the next character goes.
    pub(super) fn then_cursor(self) -> Self {
        self.with(Look::Inverse, " ".to_owned())
    }

    /// The row and a suggestion behind it, whose first character is under the cursor.
    pub(super) fn then_hint(self, hint: &str) -> Self {
        let mut chars = hint.chars();
        let first = chars.next().map(String::from).unwrap_or_default();
        self.with(Look::Inverse, first).with(Look::Dim, chars.as_str().to_owned())
    }

    /// What a terminal is sent for it.
    pub(super) fn ansi(&self) -> String {
        let mut out = String::new();
        for (look, text) in &self.pieces {
            let code = match look {
                Look::Plain => 0,
                Look::Dim => 2,
                Look::Inverse => 7,
            };
            // Writing to a string cannot fail.
            let _ = if code == 0 { write!(out, "{text}") } else { write!(out, "\x1b[{code}m{text}\x1b[0m") };
        }
        out
    }
}

/// Breaks text at blanks so that no row is wider; a word that is wider itself is broken where the row ends.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| wrap_line(line, width.max(4))).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    for piece in line.split_inclusive(' ') {
        let word = piece.trim_end_matches(' ');
        if !row.trim_end().is_empty() && row.width() + word.width() > width {
            rows.push(std::mem::take(&mut row).trim_end().to_owned());
        }
        for c in piece.chars() {
            // A row that goes on begins with a word.
            if c == ' ' && row.is_empty() && !rows.is_empty() {
                continue;
            }
            let full = row.width() + c.width().unwrap_or_default() > width;
            if full && c != ' ' && !row.is_empty() {
                rows.push(std::mem::take(&mut row).trim_end().to_owned());
            }
            row.push(c);
        }
    }
    rows.push(row.trim_end().to_owned());
    rows
}

/// Text behind a mark: the rows after the first stand below its text.
pub(super) fn marked(mark: &str, text: &str, cols: usize) -> Vec<String> {
    let indent = mark.width();
    let rows = wrap(text, cols.saturating_sub(indent + 1));
    let below = " ".repeat(indent);
    rows.iter().enumerate().map(|(at, row)| format!("{}{row}", if at == 0 { mark } else { &below })).collect()
}

/// A line across the pane.
pub(super) fn rule(with: char, cols: usize) -> Row {
    Row::plain(String::from(with).repeat(cols))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_wider_than_the_pane() {
        assert_eq!(wrap("cargo test --lib", 10), ["cargo test", "--lib"]);
        assert_eq!(wrap("abcdefghijk l", 5), ["abcde", "fghij", "k l"]);
        assert_eq!(wrap("  a\n漢字漢字", 4), ["  a", "漢字", "漢字"]);
        assert_eq!(wrap("", 9), [""]);
        assert_eq!(wrap("41 -    if  n {", 20), ["41 -    if  n {"]);
        assert_eq!(wrap("abc     def", 6), ["abc", "def"]);
        assert_eq!(marked("  2. ", "Yes, and go on", 16), ["  2. Yes, and", "     go on"]);
    }
}
