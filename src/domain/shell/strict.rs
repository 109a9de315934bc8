//! The reader that decides: a line into commands, joins and words.

use super::{
    Assignment, Line, MAX_BYTES, MAX_SEGMENTS, MAX_WORDS, Operator, Redirect, Rejection, Segment, Why, Word, word,
};

/// Words that the accepted shells take for their own grammar where a program's name stands.
const KEYWORDS: &[&str] = &[
    "if",
    "then",
    "else",
    "elif",
    "fi",
    "for",
    "while",
    "until",
    "do",
    "done",
    "case",
    "esac",
    "function",
    "select",
    "time",
    "coproc",
    "in",
    "repeat",
    "foreach",
    "end",
    "nocorrect",
];

/// Variables that may be set for one command, in plain values: they change how much a tool says, not what it runs.
const VARIABLES: &[&str] = &["RUST_BACKTRACE", "RUST_LOG", "CI", "NO_COLOR", "FORCE_COLOR", "NODE_ENV"];

/// Reads a line.
pub(super) fn read(text: &str) -> Result<Line, Rejection> {
    if text.len() > MAX_BYTES {
        return Err(Rejection::of(Why::TooLong, MAX_BYTES..text.len()));
    }
    let mut reader = Reader { text, at: 0, words: 0, done: Vec::new(), open: empty(Operator::First) };
    while let Some(byte) = text.as_bytes().get(reader.at).copied() {
        match byte {
            b' ' => reader.at += 1,
            b'&' | b'|' | b';' | b'\n' => reader.operator()?,
            _ if reader.redirect() => {}
            _ => reader.word()?,
        }
    }
    reader.finish()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    words: usize,
    done: Vec<Segment>,
    open: Segment,
}

impl Reader<'_> {
    fn operator(&mut self) -> Result<(), Rejection> {
        let rest = &self.text[self.at..];
        let (operator, length) = match rest.as_bytes() {
            [b'&', b'&', ..] => (Operator::And, 2),
            [b'|', b'|', ..] => (Operator::Or, 2),
            [b'&', ..] => return Err(Rejection::of(Why::Background, self.at..self.at + 1)),
            [b'|', b'&', ..] | [b';', b';' | b'&' | b'|', ..] => {
                return Err(Rejection::of(Why::Operator, self.at..self.at + 2));
            }
            [b'|', ..] => (Operator::Pipe, 1),
            [b';', ..] => (Operator::Then, 1),
            _ => (Operator::Newline, 1),
        };
        if self.open.words.is_empty() {
            return Err(Rejection::of(Why::Unfinished, self.at..self.at + length));
        }
        self.done.push(std::mem::replace(&mut self.open, empty(operator)));
        self.at += length;
        Ok(())
    }

    /// Takes an accepted redirect: after a blank, before a blank, an operator or the end.
    fn redirect(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let found = Redirect::ALL.iter().copied().find(|redirect| {
            rest.strip_prefix(redirect.as_str())
                .is_some_and(|after| after.is_empty() || after.starts_with([' ', '|', ';', '&', '\n']))
        });
        let after_blank = self.text[..self.at].ends_with(' ');
        match found {
            Some(redirect) if after_blank && !self.open.words.is_empty() => {
                self.open.redirects.push(redirect);
                self.at += redirect.as_str().len();
                true
            }
            _ => false,
        }
    }

    fn word(&mut self) -> Result<(), Rejection> {
        let word = word::read(self.text, self.at)?;
        self.at = word.span.end;
        self.words += 1;
        if self.words > MAX_WORDS {
            return Err(Rejection::of(Why::TooManyWords, word.span));
        }
        if self.open.words.is_empty() {
            if self.done.len() >= MAX_SEGMENTS {
                return Err(Rejection::of(Why::TooManySegments, word.span));
            }
            if let Some(assignment) = assignment(&word)? {
                self.open.env.push(assignment);
                return Ok(());
            }
            name(&word).map_err(|why| Rejection::of(why, word.span.clone()))?;
        }
        self.open.words.push(word);
        Ok(())
    }

    fn finish(mut self) -> Result<Line, Rejection> {
        let end = self.text.len();
        if !self.open.words.is_empty() {
            self.done.push(self.open);
        } else if !self.open.env.is_empty() {
            // `CI=1` alone changes the shell for all that follows.
            return Err(Rejection::of(Why::Environment, 0..end));
        } else if self.done.is_empty() {
            return Err(Rejection::of(Why::Empty, 0..end));
        } else if self.open.operator != Operator::Then {
            return Err(Rejection::of(Why::Unfinished, end..end));
        }
        Ok(Line { segments: self.done })
    }
}

const fn empty(operator: Operator) -> Segment {
    Segment { operator, env: Vec::new(), words: Vec::new(), redirects: Vec::new() }
}

/// A variable before the command's name, if the word sets one.
fn assignment(word: &Word) -> Result<Option<Assignment>, Rejection> {
    let Some((name, value)) = word.text.split_once('=') else { return Ok(None) };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '=' | ',' | ':' | '-');
    if word.quoted || !VARIABLES.contains(&name) || !value.chars().all(plain) {
        return Err(Rejection::of(Why::Environment, word.span.clone()));
    }
    Ok(Some(Assignment { name: name.to_owned(), value: value.to_owned() }))
}

/// Whether a word may be a command's name.
fn name(word: &Word) -> Result<(), Why> {
    match word.text.as_str() {
        _ if word.quoted => Err(Why::QuotedName),
        text if text.contains('/') => Err(Why::PathName),
        text if KEYWORDS.contains(&text) => Err(Why::Keyword),
        _ => Ok(()),
    }
}
