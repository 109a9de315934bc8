//! The pages under `docs/`, and the fenced blocks in them.

use std::fs;
use std::path::Path;

use super::scratch::repository;

/// A page, by its path from the top of the repository.
pub struct PageOfDocs {
    /// Where it is.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// One page.
pub fn page(path: &str) -> PageOfDocs {
    let text = fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"));
    PageOfDocs { path: path.to_owned(), text }
}

/// All pages, in a stable order.
pub fn pages() -> Vec<PageOfDocs> {
    let mut paths = Vec::new();
    walk("docs", &mut paths);
    paths.sort();
    paths.iter().map(|path| page(path)).collect()
}

fn walk(folder: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(repository(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        if repository(&path).is_dir() {
            walk(&path, paths);
        } else if Path::new(&name).extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
}

/// What stands in the fenced blocks of a language, in their order. A fence that is never closed holds the rest.
pub fn fenced(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(named)) => open = Some((named.trim() == language, String::new())),
            (Some(_), Some(_)) => found.extend(open.take().filter(|block| block.0).map(|block| block.1)),
            (Some((_, block)), None) => block.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    found.extend(open.filter(|block| block.0).map(|block| block.1));
    found
}

#[test]
fn blocks_are_told_apart_by_their_language() {
    let text = "a\n```toml\nb = 1\n```\n```sh\nc\n```\n```toml\nd = 2\n";
    assert_eq!(fenced(text, "toml"), ["b = 1\n", "d = 2\n"]);
    assert_eq!(fenced(text, "sh"), ["c\n"]);
    assert!(fenced(text, "json").is_empty());
}
