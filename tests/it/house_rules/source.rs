//! Reads the repository as text: files, code without comments and strings, and the paths that code names.

use std::fs;
use std::path::Path;

use crate::support::scratch::repository;

/// One file of the repository.
pub struct Source {
    /// From the top of the repository, with `/`.
    pub path: String,
    pub text: String,
    /// The text with comments and the insides of strings blanked out, line for line.
    pub code: String,
}

/// Files under a folder whose names end so, in a stable order; none when the folder is missing.
pub fn files(folder: &str, ending: &str) -> Vec<Source> {
    let mut found = Vec::new();
    walk(&repository(folder), folder, ending, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walk(folder: &Path, name: &str, ending: &str, found: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{name}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            if entry.file_name() != "node_modules" {
                walk(&entry.path(), &path, ending, found);
            }
        } else if path.ends_with(ending) {
            let text = fs::read_to_string(entry.path()).unwrap();
            found.push(Source::new(path, text));
        }
    }
}

impl Source {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let code = blank(&text);
        Self { path: path.into(), text, code }
    }

    /// The module path of a file under `src`: `src/store/events.rs` is `[store, events]`.
    pub fn module(&self) -> Vec<&str> {
        let inside = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let inside = inside.strip_suffix(".rs").unwrap_or(inside);
        let mut parts: Vec<_> = inside.split('/').collect();
        if matches!(parts.last(), Some(&("mod" | "lib" | "main"))) {
            parts.pop();
        }
        parts
    }

    /// Every path that the code names, with `use` trees written out: `use a::{b, c::d}` names `a::b` and `a::c::d`.
    pub fn paths(&self) -> Vec<String> {
        let tokens = tokens(&self.code);
        let mut paths = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at] == "use" {
                at = tree(&tokens, at + 1, "", &mut paths);
            } else if is_word(tokens[at]) {
                at = tree(&tokens, at, "", &mut paths);
            } else {
                at += 1;
            }
        }
        paths
    }
}

/// Reads one path, or the braces at its end, and returns where it stopped.
fn tree(tokens: &[&str], mut at: usize, prefix: &str, paths: &mut Vec<String>) -> usize {
    let mut path = prefix.to_owned();
    loop {
        match tokens.get(at) {
            Some(&"{") if path.ends_with("::") || path.is_empty() => {
                at += 1;
                while at < tokens.len() && tokens[at] != "}" {
                    at = tree(tokens, at, &path, paths).max(at + 1);
                    if tokens.get(at) == Some(&",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            Some(&"::") => path.push_str("::"),
            Some(&word) if is_word(word) && (path.is_empty() || path.ends_with("::")) => {
                path.push_str(word);
            }
            // `use a as b` names nothing new.
            Some(&"as") => {
                paths.push(path);
                return at + 2;
            }
            _ => {
                paths.push(path);
                return at;
            }
        }
        at += 1;
    }
}

fn is_word(token: &str) -> bool {
    token != "as" && token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, `::`, and every other character by itself.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

/// Replaces comments and the contents of string and character literals by spaces; lines stay where they are.
fn blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped(rest, out.chars().last());
        if skipped == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            out.extend(rest[..skipped].chars().map(|c| if c == '\n' { c } else { ' ' }));
            rest = &rest[skipped..];
        }
    }
    out
}

/// The length of the comment or literal that starts here, if one does.
fn skipped(rest: &str, before: Option<char>) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    if rest.starts_with('"') {
        return quoted(rest, '"');
    }
    if rest.starts_with('\'') {
        // A lifetime has no second quote where a character's would be.
        let mut chars = rest.chars().skip(1);
        return match (chars.next(), chars.next()) {
            (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
            _ => 0,
        };
    }
    let fresh = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let hashes = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r')).filter(|_| fresh);
    if let Some(after) = hashes {
        let marks = after.len() - after.trim_start_matches('#').len();
        if after[marks..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(marks));
            let start = rest.len() - after.len() + marks + 1;
            return rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len());
        }
    }
    0
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

#[test]
fn code_is_read_without_comments_and_strings() {
    let text = "a \"sqlx \\\" x\" // tokio\n/* b /* c */ d */ r#\"std::fs \" \"# '\"' e<'a> '\\'' f\nbr\"g\" h";
    let source = Source::new("src/x.rs", text);
    let words: Vec<_> = source.code.split_whitespace().collect();
    assert_eq!(words, ["a", "e<'a>", "f", "h"]);
    assert_eq!(source.code.lines().count(), 3);
}

#[test]
fn paths_are_written_out() {
    let text = "use a::{self, b::{c, d as e}, *};\npub(crate) fn f() { crate::g::h(super::i, std :: fs :: read) }";
    let paths = Source::new("src/x.rs", text).paths();
    for expected in ["a::self", "a::b::c", "a::b::d", "crate::g::h", "super::i", "std::fs::read"] {
        assert!(paths.iter().any(|path| path == expected), "{expected} is missing in {paths:?}");
    }
    assert_eq!(Source::new("src/store/events.rs", "").module(), ["store", "events"]);
    assert_eq!(Source::new("src/store/mod.rs", "").module(), ["store"]);
    assert!(Source::new("src/main.rs", "").module().is_empty());
}
