//! Markers of secrets: whole words, and names of files that usually hold one.

use super::names;
use crate::domain::reading::{Simple, Word, starts};

/// Words that mark a secret by themselves; their plurals too.
const WORDS: &[&str] = &["token", "secret", "password", "credential", "keychain", "apikey", "passphrase"];
/// Two words in a row that do.
const PAIRS: &[(&str, &str)] = &[("api", "key"), ("ssh", "key"), ("private", "key"), ("access", "key"), ("id", "rsa")];
/// Ends of words that are names of key files.
const ENDINGS: &[&str] = &["pem"];

/// Kinds of file in which a marker that is only the front of a compound name says what the text is about, not what it
/// holds: `token_stream.rs`, `secrets-guide.md`.
const WRITTEN: &[&str] = &[
    "rs", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "c", "h", "cc", "cpp", "hpp", "java", "kt", "rb", "php",
    "swift", "cs", "scala", "ex", "exs", "vue", "svelte", "css", "scss", "html", "md", "mdx", "rst", "adoc", "snap",
];

/// Whether a command names a secret. What it only says, as a commit message does, is no access.
pub(super) fn in_command(command: &Simple) -> bool {
    let said = messages(&command.words);
    let words = command.words.iter().enumerate().filter(|(at, _)| !said.contains(at)).map(|(_, word)| word);
    words.chain(&command.assigned).chain(&command.targets).any(in_word)
}

/// The places of the messages of `git commit -m`.
fn messages(words: &[Word]) -> Vec<usize> {
    let starts = starts(words);
    let Some(&git) = starts.iter().find(|&&at| words[at].text == "git") else { return Vec::new() };
    if words.get(git + 1).map(|word| word.text.as_str()) != Some("commit") {
        return Vec::new();
    }
    let flag = |word: &Word| word.text == "--message" || is_message_bundle(&word.text);
    (git + 2..words.len())
        .filter(|&at| flag(&words[at - 1]) || words[at].text.starts_with("--message=") || attached(&words[at]))
        .collect()
}

/// `-m`, `-am`: the next word is the message.
fn is_message_bundle(text: &str) -> bool {
    matches!(text, "-m" | "-am" | "-sm" | "-asm")
}

/// `-m'…'` in one word.
fn attached(word: &Word) -> bool {
    word.quoted && word.text.starts_with("-m")
}

fn in_word(word: &Word) -> bool {
    in_text(&word.text) || names::is_secret_file(&word.text)
}

/// Whether the target of an edit names a secret.
pub(super) fn in_target(path: &str) -> bool {
    in_text(path) || names::is_secret_target(path)
}

/// Whether a text has a marker as a whole word; `_`, `-` and `.` break words.
pub(super) fn in_text(text: &str) -> bool {
    // Nearly every text has none of these: looked for first, without taking words apart.
    if !may_have_marker(text) {
        return false;
    }
    text.split_whitespace().any(in_token) || has_pair_of_words(text)
}

/// The first letters of the markers, found without folding the text.
fn may_have_marker(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| {
        let folded = [three[0] | 0x20, three[1] | 0x20, three[2] | 0x20];
        matches!(&folded, b"tok" | b"sec" | b"pas" | b"cre" | b"key" | b"rsa" | b"pem" | b"env" | b"aws")
    })
}

/// Words written apart: `api key`.
fn has_pair_of_words(text: &str) -> bool {
    let mut before = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let word = word.to_ascii_lowercase();
        if PAIRS.contains(&(before.as_str(), word.as_str())) || (word == "keys" && PAIRS.contains(&(&before, "key"))) {
            return true;
        }
        before = word;
    }
    false
}

/// One run of characters without blanks: a path, an assignment, a piece of code.
fn in_token(token: &str) -> bool {
    let mut rest = token;
    let mut from = 0;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let after = &rest[start..];
        let length = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        let (at, end) = (from + start, from + start + length);
        if hits(token, at, end) {
            return true;
        }
        from = end;
        rest = &token[end..];
    }
    false
}

fn hits(token: &str, at: usize, end: usize) -> bool {
    let word = token[at..end].to_ascii_lowercase();
    let before = token[..at].chars().next_back();
    let after = token[end..].chars().next();
    let start_of_name = !token[..at].chars().rev().nth(1).is_some_and(char::is_alphanumeric);
    match word.as_str() {
        // `.env` and what begins with it; not `process.env`, not `src/env.rs`.
        "env" | "aws" => before == Some('.') && start_of_name,
        _ if ENDINGS.contains(&word.as_str()) => before == Some('.'),
        _ => {
            let single = word.strip_suffix('s').filter(|_| word != "pass").unwrap_or(&word);
            WORDS.contains(&single) && !(matches!(after, Some('_' | '-')) && is_written(&token[end..]))
        }
    }
}

/// Whether a name goes on to the ending of a source or text file.
fn is_written(rest: &str) -> bool {
    let name = rest.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.')).next().unwrap_or(rest);
    name.rsplit_once('.').is_some_and(|(_, ending)| WRITTEN.contains(&ending))
}
