//! Joins neighbours of the same look into tokens and finds room that pushes text out of sight.

use super::{Cell, Glyph, Token, Warning, Warnings};

/// No indentation and no aligned comment needs as many blanks in a row.
const MAX_BLANKS: usize = 60;
/// As many empty lines fill a phone's screen.
const MAX_EMPTY_LINES: usize = 12;
const MAX_COLUMNS: usize = 2_000;

/// The tokens of a text.
pub(super) fn tokens(cells: Vec<Cell>, warnings: &mut Warnings) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut room = Room::default();
    for cell in cells {
        if let Some(label) = room.step(&cell, warnings) {
            tokens.push(Token { text: label, class: "chip".to_owned() });
        }
        let class = class(&cell);
        let joinable = matches!(cell.glyph, Glyph::Char(_));
        match tokens.last_mut() {
            Some(last) if joinable && last.class == class => push(&mut last.text, cell.glyph),
            _ => {
                let mut text = String::new();
                push(&mut text, cell.glyph);
                tokens.push(Token { text, class });
            }
        }
    }
    tokens
}

/// A flag longer than this may be broken over two lines of a phone.
const MAX_FLAG: usize = 28;

/// Gives the flags of a command a class of their own, so that no line breaks after their dashes.
pub(super) fn whole_flags(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if !token.class.is_empty() {
            out.push(token);
            continue;
        }
        for piece in token.text.split_inclusive([' ', '\n', '\t']) {
            let word = piece.trim_end_matches([' ', '\n', '\t']);
            let rest = &piece[word.len()..];
            let flag = word.starts_with('-') && word.len() <= MAX_FLAG;
            for (text, class) in [(word, if flag { "w" } else { "" }), (rest, "")] {
                match out.last_mut() {
                    _ if text.is_empty() => {}
                    Some(last) if last.class == class && !flag => last.text.push_str(text),
                    _ => out.push(Token { text: text.to_owned(), class: class.to_owned() }),
                }
            }
        }
    }
    out
}

fn push(text: &mut String, glyph: Glyph) {
    match glyph {
        Glyph::Char(c) => text.push(c),
        Glyph::Chip(label) => text.push_str(&label),
        Glyph::Mark(label) => text.push_str(label),
    }
}

fn class(cell: &Cell) -> String {
    let mut class = match cell.glyph {
        Glyph::Char(_) => cell.style.class(),
        Glyph::Chip(_) => "chip".to_owned(),
        Glyph::Mark(_) => "mark".to_owned(),
    };
    for (on, name) in [(cell.odd, "odd"), (cell.strong, "hot")] {
        if on {
            if !class.is_empty() {
                class.push(' ');
            }
            class.push_str(name);
        }
    }
    class
}

/// Counts blanks and columns as they go by.
#[derive(Default)]
struct Room {
    blanks: usize,
    line_ends: usize,
    columns: usize,
}

impl Room {
    /// Looks at the next cell; gives a label when a long stretch of nothing ends at it.
    fn step(&mut self, cell: &Cell, warnings: &mut Warnings) -> Option<String> {
        match cell.char() {
            Some('\n') => {
                self.line_ends += 1;
                self.blanks = 0;
                self.columns = 0;
                return None;
            }
            Some(' ' | '\t') => {
                self.blanks += 1;
                self.columns += 1;
                return None;
            }
            _ => {}
        }
        self.columns += 1;
        if self.columns == MAX_COLUMNS + 1 {
            warnings.note(Warning::LongLine, "a line over 2,000 characters", "");
        }
        let label = if self.line_ends > MAX_EMPTY_LINES {
            Some(format!("{} empty lines", self.line_ends - 1))
        } else if self.blanks > MAX_BLANKS {
            Some(format!("{} spaces", self.blanks))
        } else {
            None
        };
        if let Some(label) = &label {
            warnings.note(Warning::Padding, label, "");
        }
        (self.blanks, self.line_ends) = (0, 0);
        label
    }
}
