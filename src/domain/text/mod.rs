//! Hostile text made visible: raw text goes in, safe tokens and a list of warnings come out.
//!
//! The raw bytes stay what is hashed and classified; this is only how they are shown. Nothing is
//! ever cut: a character that a screen would hide, move or swallow becomes a chip that says so.

mod ansi;
mod chars;
pub mod framing;
mod group;
mod style;
mod warnings;
mod words;

use std::ops::Range;

pub use chars::{is_blank, is_unseen};
pub use warnings::{Found, Warning, Warnings};

/// What a text is, which decides how strict the checks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words for people: colours are shown as colours, other alphabets are fine.
    Prose,
    /// A file, a diff or a log: terminal codes are shown as colours and reported.
    Document,
    /// What would run: nothing is interpreted, every look-alike is reported.
    Command,
}

/// A piece of text with the CSS classes it is shown in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What is shown; a template escapes it.
    pub text: String,
    /// Classes from a fixed set, separated by blanks; empty for plain text.
    pub class: String,
}

/// A text ready to be shown, and what was found in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The pieces, in order.
    pub tokens: Vec<Token>,
    /// What a reader should know about it.
    pub warnings: Warnings,
}

/// Makes a text safe to show.
pub fn show(raw: &str, kind: Kind) -> Shown {
    show_marked(raw, kind, &[])
}

/// Makes a text safe to show, with the given byte ranges emphasised.
pub fn show_marked(raw: &str, kind: Kind, strong: &[Range<usize>]) -> Shown {
    let mut warnings = Warnings::default();
    let mut cells = ansi::cells(raw, kind, &mut warnings);
    for cell in &mut cells {
        cell.strong = strong.iter().any(|range| range.contains(&cell.at));
    }
    let cells = chars::judge(cells, &mut warnings);
    let cells = words::judge(cells, kind, &mut warnings);
    let mut tokens = group::tokens(cells, &mut warnings);
    if kind == Kind::Command {
        tokens = group::whole_flags(tokens);
    }
    Shown { tokens, warnings }
}

/// One thing to be shown, before neighbours of the same look are joined.
#[derive(Debug, Clone)]
struct Cell {
    glyph: Glyph,
    style: style::Style,
    /// Where in the raw text it came from.
    at: usize,
    /// Part of an emphasised range.
    strong: bool,
    /// Part of a word that is not what it seems.
    odd: bool,
}

#[derive(Debug, Clone)]
enum Glyph {
    Char(char),
    /// A label in place of something that would not be seen.
    Chip(String),
    /// A label of no danger, such as a line end of another system.
    Mark(&'static str),
}

impl Cell {
    fn new(glyph: Glyph, at: usize) -> Self {
        Self { glyph, style: style::Style::default(), at, strong: false, odd: false }
    }

    fn char(&self) -> Option<char> {
        match self.glyph {
            Glyph::Char(c) => Some(c),
            Glyph::Chip(_) | Glyph::Mark(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
