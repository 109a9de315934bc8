//! Quotes, escapes and expansions: what a word is made of besides plain characters.

use super::scan::Scanner;
use super::{ansi_c, heredoc};
use crate::domain::text::is_unseen;

impl Scanner<'_> {
    pub(super) fn escape(&mut self) {
        match self.take() {
            Some('\n') | None => {}
            Some(c) => {
                self.word.quoted = true;
                self.push(c);
            }
        }
    }

    pub(super) fn single(&mut self) {
        let rest = self.rest();
        let (inside, after) = match rest.find('\'') {
            Some(end) => (&rest[..end], end + 1),
            None => {
                self.found.unclosed = true;
                (rest, rest.len())
            }
        };
        self.at += after;
        self.literal(inside);
    }

    fn literal(&mut self, inside: &str) {
        self.begun = true;
        self.word.quoted = true;
        self.word.text.extend(inside.chars().filter(|&c| !is_unseen(c)));
    }

    pub(super) fn double(&mut self) {
        self.begun = true;
        self.word.quoted = true;
        loop {
            match self.take() {
                Some('"') => return,
                None => {
                    self.found.unclosed = true;
                    return;
                }
                Some('\\') => match self.take() {
                    Some('\n') | None => {}
                    Some(c) => {
                        if !matches!(c, '"' | '\\' | '$' | '`') {
                            self.push('\\');
                        }
                        self.push(c);
                    }
                },
                Some('`') => self.backtick(),
                Some('$') => self.dollar(),
                Some(c) if is_unseen(c) && c != '\n' => {}
                Some(c) => self.push(c),
            }
        }
    }

    pub(super) fn backtick(&mut self) {
        let rest = self.rest();
        let mut escaped = false;
        let end = rest.char_indices().find(|&(_, c)| {
            let hit = c == '`' && !escaped;
            escaped = c == '\\' && !escaped;
            hit
        });
        let inside = end.map_or(rest, |(at, _)| &rest[..at]);
        self.found.unclosed |= end.is_none();
        self.at += inside.len() + usize::from(end.is_some());
        self.found.substitutions.push(inside.replace("\\`", "`"));
        self.begun = true;
        self.word.open = true;
    }

    pub(super) fn dollar(&mut self) {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.substitution();
            }
            Some('\'') if !self.word.quoted || !self.begun => {
                self.at += 1;
                let (decoded, length) = ansi_c::decode(self.rest());
                self.at += length;
                self.literal(&decoded);
            }
            Some('{') => {
                self.at += 1;
                self.parameter();
            }
            Some('"') => {}
            _ => self.name(),
        }
    }

    /// `$NAME`, of which `$IFS` parts words.
    fn name(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..length];
        self.at += length;
        if name == "IFS" {
            self.end_word();
            return;
        }
        self.word.open = true;
        self.push('$');
        self.word.text.push_str(name);
    }

    fn parameter(&mut self) {
        let (inside, closed) = heredoc::until_close(self.rest(), '{', '}');
        self.at += inside.len() + usize::from(closed);
        self.found.unclosed |= !closed;
        if inside.starts_with("IFS") {
            self.end_word();
            return;
        }
        if inside.contains("$(") || inside.contains('`') {
            // A default value may hold a substitution; read as a command, its words are seen too.
            self.found.substitutions.push(inside.to_owned());
        }
        self.word.open = true;
        self.push('$');
        self.word.text.push_str(inside);
    }

    pub(super) fn substitution(&mut self) {
        let (inside, closed) = heredoc::until_close(self.rest(), '(', ')');
        self.at += inside.len() + usize::from(closed);
        self.found.unclosed |= !closed;
        self.found.substitutions.push(inside.to_owned());
        self.begun = true;
        self.word.open = true;
    }
}
