//! The scanner: one pass over a text, which splits it into simple commands and sets what is nested aside.

use super::heredoc::{self, Pending};
use super::{Simple, Word, braces};
use crate::domain::text::is_unseen;

/// What one pass found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) commands: Vec<Simple>,
    /// Insides of `$(…)`, backticks and process substitutions.
    pub(super) substitutions: Vec<String>,
    /// A quote or a bracket has no end: the text may be cut.
    pub(super) unclosed: bool,
}

/// What the next word is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Argument,
    Target,
    Delimiter { strip: bool },
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    pub(super) at: usize,
    pub(super) found: Found,
    command: Simple,
    pub(super) word: Word,
    /// A word has begun, though it may be empty as in `''`.
    pub(super) begun: bool,
    next: Next,
    pending: Vec<Pending>,
}

pub(super) fn scan(text: &str) -> Found {
    let mut scanner = Scanner {
        text,
        at: 0,
        found: Found::default(),
        command: Simple::default(),
        word: Word::default(),
        begun: false,
        next: Next::Argument,
        pending: Vec::new(),
    };
    while let Some(c) = scanner.take() {
        scanner.step(c);
    }
    scanner.end_command();
    scanner.found
}

impl<'a> Scanner<'a> {
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn skip(&mut self, wanted: char) -> bool {
        let hit = self.peek() == Some(wanted);
        if hit {
            self.at += wanted.len_utf8();
        }
        hit
    }

    pub(super) fn push(&mut self, c: char) {
        self.begun = true;
        self.word.text.push(c);
    }

    fn step(&mut self, c: char) {
        match c {
            '\n' => self.end_line(),
            // A carriage return and every Unicode space part words here, whatever a shell makes of them.
            _ if c.is_whitespace() => self.end_word(),
            '&' if self.peek() == Some('>') => self.end_word(),
            ';' | '|' | '&' | '(' | ')' => self.end_command(),
            '<' | '>' => self.redirect(c),
            '\\' => self.escape(),
            '\'' => self.single(),
            '"' => self.double(),
            '`' => self.backtick(),
            '$' => self.dollar(),
            '*' | '?' | '[' => {
                self.word.open = true;
                self.push(c);
            }
            _ if is_unseen(c) => {}
            _ => self.push(c),
        }
    }

    fn redirect(&mut self, c: char) {
        let descriptor = self.word.text.bytes().all(|b| b.is_ascii_digit())
            || (self.word.text.starts_with('{') && self.word.text.ends_with('}'));
        if descriptor && !self.word.quoted {
            self.word = Word::default();
            self.begun = false;
        }
        self.end_word();
        if self.peek() == Some('(') {
            self.at += 1;
            self.substitution();
            return;
        }
        let mut signs = 1;
        while self.skip(c) {
            signs += 1;
        }
        if c == '<' && signs == 2 {
            let strip = self.skip('-');
            self.next = Next::Delimiter { strip };
            return;
        }
        let _ = self.skip('|') || self.skip('&') || self.skip('>');
        self.next = Next::Target;
    }

    pub(super) fn end_word(&mut self) {
        if !self.begun {
            self.word = Word::default();
            return;
        }
        self.begun = false;
        let word = std::mem::take(&mut self.word);
        match std::mem::replace(&mut self.next, Next::Argument) {
            Next::Target => self.command.targets.push(word),
            Next::Delimiter { strip } => {
                let quoted = word.quoted;
                self.pending.push(Pending { delimiter: word.text, strip, quoted });
            }
            Next::Argument if self.command.words.is_empty() && is_assignment(&word) => self.command.assigned.push(word),
            Next::Argument => braces::expand(word, &mut self.command.words),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        let command = std::mem::take(&mut self.command);
        if !command.words.is_empty() || !command.assigned.is_empty() || !command.targets.is_empty() {
            self.found.commands.push(command);
        }
    }

    fn end_line(&mut self) {
        self.end_word();
        let pending = std::mem::take(&mut self.pending);
        for document in pending {
            let Some((body, length)) = document.body(self.rest()) else {
                // No end in sight: its lines are read as commands.
                self.found.unclosed = true;
                break;
            };
            self.at += length;
            if !document.quoted {
                heredoc::substitutions(body, &mut self.found.substitutions);
            }
            // Of a pipeline, the command before the line end stands for all: a shell in it is found by its own words.
            self.command.documents.push(body.to_owned());
        }
        self.end_command();
    }
}

/// `NAME=…`, `NAME+=…` or `NAME[…]=…` with an unquoted name.
fn is_assignment(word: &Word) -> bool {
    let Some((name, _)) = word.text.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split('[').next().unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
