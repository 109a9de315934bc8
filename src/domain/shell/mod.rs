//! The small part of shell that is understood exactly: what it does not accept, nobody approves automatically.
//!
//! Commands of plain words joined by `&&`, `||`, `;`, `|` or a line end. No expansion, no pattern, no group, no
//! function: in bash, zsh, dash and sh alike such a line means its words and nothing else.

mod chars;
mod line;
mod quote;
mod rejection;
mod second;
mod strict;
mod word;

#[cfg(test)]
mod tests;

pub use chars::is_seen;
pub use line::{Assignment, Line, Operator, Redirect, Segment, Word};
pub use quote::quoted;
pub use rejection::{Rejection, Why};

/// The longest command that is looked at, in bytes.
pub const MAX_BYTES: usize = 4096;
/// The most commands in one line.
pub const MAX_SEGMENTS: usize = 16;
/// The most words in one line.
pub const MAX_WORDS: usize = 256;

/// The shells that read an accepted line alike. Fish, for one, reads a backslash inside quotes differently.
const SHELLS: &[&str] = &["bash", "zsh", "sh", "dash"];

/// Reads a command line, or says what in it is not understood.
///
/// Our own reader decides; a second, independent parser must find the same commands, joins and words, so that a mistake
/// in either can only hold.
pub fn lex(text: &str) -> Result<Line, Rejection> {
    let line = strict::read(text)?;
    if second::agrees(text, &line) { Ok(line) } else { Err(Rejection::of(Why::ParsersDisagree, 0..text.len())) }
}

/// Whether a shell, by the name or path it was started with, reads an accepted line as we do.
pub fn is_known_shell(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    SHELLS.contains(&base.strip_prefix('-').unwrap_or(base))
}
