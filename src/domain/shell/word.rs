//! One word of a line: plain characters and quoted pieces, side by side.

use super::chars::{is_plain, is_seen, refused};
use super::{Rejection, Why, Word};

/// Reads the word that begins at a byte. The caller has seen that neither a blank nor an operator stands there.
pub(super) fn read(text: &str, start: usize) -> Result<Word, Rejection> {
    let mut word = Word { text: String::new(), quoted: false, span: start..start };
    let mut before = None;
    while let Some(c) = text[word.span.end..].chars().next() {
        let at = word.span.end;
        match c {
            ' ' | '&' | '|' | ';' | '\n' => break,
            '\'' | '"' => {
                let inner = inside(text, at, c)?;
                word.text.push_str(inner);
                word.quoted = true;
                // Both quotes are one byte each.
                word.span.end = at + inner.len() + 2;
            }
            _ => {
                plain(c, before, at == start).map_err(|why| Rejection::of(why, at..at + c.len_utf8()))?;
                word.text.push(c);
                word.span.end = at + c.len_utf8();
            }
        }
        before = Some(c);
    }
    Ok(word)
}

/// Whether an unquoted character may follow the one before it.
fn plain(c: char, before: Option<char>, first: bool) -> Result<(), Why> {
    match c {
        '~' | '^' if first || matches!(before, Some(':' | '=')) => Err(Why::Tilde),
        '=' if first => Err(Why::EqualsCommand),
        _ if is_plain(c) => Ok(()),
        _ => Err(refused(c)),
    }
}

/// What stands between the quote at a byte and the next of its kind.
fn inside(text: &str, open: usize, quote: char) -> Result<&str, Rejection> {
    let rest = &text[open + 1..];
    let Some(length) = rest.find(quote) else { return Err(Rejection::of(Why::OpenQuote, open..text.len())) };
    let inner = &rest[..length];
    for (at, c) in inner.char_indices() {
        let why = match c {
            // Between single quotes these mean themselves.
            '$' | '`' | '\\' | '!' if quote == '"' => refused(c),
            _ if is_seen(c) => continue,
            // A line end inside quotes may be where a narrow terminal broke the row.
            '\n' => Why::Unseen,
            _ => refused(c),
        };
        let start = open + 1 + at;
        return Err(Rejection::of(why, start..start + c.len_utf8()));
    }
    Ok(inner)
}
