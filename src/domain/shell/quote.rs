//! Words back into a line that reads as the same words.

use super::chars::is_plain;

/// A word as it can be typed: as it is where that is plain, else in single quotes. A word that no quotes of the accepted
/// language can hold (one with both a `'` and one of `$`, backtick, backslash, `!`, `"`) is put together from pieces.
pub fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| is_plain(c) && !matches!(c, '~' | '^' | '='));
    if plain {
        return word.to_owned();
    }
    let pieces: Vec<String> = word.split('\'').map(|piece| format!("'{piece}'")).collect();
    pieces.join("\"'\"")
}
