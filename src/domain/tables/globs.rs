//! Patterns of file names that a program expands itself: none may reach a file that holds secrets.

use super::claims::{Claim, accept, read};

/// Endings of sources and of texts for people. What is not here may be data, and data may be a secret.
const SOURCES: &[&str] = &[
    "rs", "py", "pyi", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "go", "c", "h", "cc", "cpp", "cxx", "hh",
    "hpp", "hxx", "m", "mm", "java", "kt", "kts", "scala", "groovy", "gradle", "rb", "erb", "php", "cs", "fs", "vb",
    "swift", "sh", "bash", "zsh", "fish", "ps1", "lua", "pl", "pm", "r", "jl", "ex", "exs", "erl", "hs", "ml", "mli",
    "clj", "cljs", "dart", "vue", "svelte", "astro", "css", "scss", "sass", "less", "html", "htm", "md", "mdx", "rst",
    "adoc", "sql", "graphql", "gql", "proto", "zig", "nim", "nix", "cmake", "mk", "s", "asm", "wgsl", "glsl", "el",
];

const WHY: &str = "is a pattern that may reach hidden files or secrets";

/// A glob that chooses files outranks what rg would otherwise skip, hidden and ignored files included: it must end in what
/// sources end in, or be a whole name, which is then judged like any path.
pub(super) fn choosing(text: &str) -> Result<Option<Claim>, &'static str> {
    if let Some(rest) = text.strip_prefix('!') {
        return accept(leaves_out(rest), WHY);
    }
    let (folders, last) = text.rsplit_once('/').map_or(("", text), |(folders, last)| (folders, last));
    if !folders.split('/').all(is_folder) {
        return Err(WHY);
    }
    if last.contains(['*', '{']) {
        return accept(is_source_glob(last), WHY);
    }
    let whole = begins_plain(last) && last.chars().all(is_plain) && !last.contains("..");
    if whole { Ok(Some(Claim::Named(text.to_owned()))) } else { Err(WHY) }
}

/// A pattern of what is left out, in plain letters: an escape or a second `!` could turn it round.
pub(super) fn leaves_out(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_plain(c) || matches!(c, '/' | '*')) && !text.contains("..")
}

/// A quoted pattern stays below its first components without a sign.
pub(super) fn pattern(text: &str) -> Result<Option<Claim>, &'static str> {
    let signs = |part: &str| part.contains(['*', '?', '[', ']', '{', '}', '!', '(', ')', '|', '\\', '@', '+']);
    if !text.contains(['*', '?', '[', ']', '{', '}', '!', '(', ')', '|', '\\']) {
        return Ok(Some(read(text)));
    }
    let parts: Vec<&str> = text.split('/').collect();
    let fixed = parts.iter().take_while(|part| !signs(part)).count();
    let Some((last, folders)) = parts[fixed..].split_last() else { return Err(WHY) };
    let good = folders.iter().all(|part| is_folder(part)) && (*last == "**" || is_source_glob(last));
    if !good || text.contains("..") {
        return Err(WHY);
    }
    if fixed == 0 {
        return Ok(None);
    }
    let base = parts[..fixed].join("/");
    Ok(Some(read(if base.is_empty() { "/" } else { &base })))
}

/// A folder of a glob: all, any, or one that is not hidden.
fn is_folder(part: &str) -> bool {
    matches!(part, "" | "*" | "**") || (begins_plain(part) && part.chars().all(is_plain) && !part.contains(".."))
}

/// `*.rs`, `test_*.py`, `*.{ts,tsx}`: whatever the stars stand for, the ending is one of sources.
fn is_source_glob(last: &str) -> bool {
    let Some((stem, ending)) = last.rsplit_once('.') else { return false };
    let begins = stem.starts_with('*') || begins_plain(stem);
    let good = |one: &str| SOURCES.contains(&one);
    let listed = match ending.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(endings) => endings.split(',').all(good),
        None => good(ending),
    };
    begins && stem.chars().all(|c| is_plain(c) || c == '*') && !stem.contains("..") && listed
}

fn begins_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}
