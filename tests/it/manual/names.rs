//! Which words of a page name a tool or a route, and which of these are there.

use std::collections::BTreeSet;

use crate::house_rules::files;

/// Words of the diagrams' own language.
const KEYWORDS: [&str; 2] = ["sequenceDiagram", "stateDiagram-v2"];

/// What a page says is there.
#[derive(Debug, Default)]
pub struct Names {
    /// Words that can only be tools: called, or written like one.
    pub tools: BTreeSet<String>,
    /// Words that are parts of the wire: fields, outcomes, settings.
    pub others: BTreeSet<String>,
    /// Paths.
    pub routes: BTreeSet<String>,
}

/// What there is to name: the server's own tables.
pub struct Known {
    /// Every tool.
    pub tools: BTreeSet<String>,
    /// Every path of both routers.
    pub routes: BTreeSet<String>,
    /// Every word of the code.
    words: BTreeSet<String>,
}

impl Known {
    /// These tools and paths, and every word of the code.
    pub fn of(tools: &[&str], routes: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self { tools: owned(tools), routes: owned(routes), words: words_of_code() }
    }

    /// Whether a word begins as a tool's name does: `fleet_` and `check-`, not `propose`.
    fn begins_like_a_tool(&self, word: &str) -> bool {
        self.tools.iter().any(|tool| {
            let end = tool.find(['_', '-']).map_or(tool.len(), |at| at + 1);
            end < tool.len() && word.starts_with(&tool[..end])
        })
    }

    /// Reads a page.
    pub fn named_in(&self, text: &str) -> Names {
        let mut names = Names::default();
        for piece in text.split(|c: char| !part_of_word(c)) {
            // A dash at its end, as of an arrow in a diagram, is none of it.
            let word = piece.trim_end_matches('-');
            let at = piece.as_ptr().addr() - text.as_ptr().addr();
            self.note(&mut names, [&text[..at], word, &text[at + word.len()..]]);
        }
        names.routes = routes(text);
        names
    }

    fn note(&self, names: &mut Names, [before, word, after]: [&str; 3]) {
        let called = after.starts_with('(') && word.starts_with(|c: char| c.is_ascii_lowercase());
        let quoted = before.ends_with('`') && after.starts_with('`');
        let joined = |by: char| word.contains(by) && word.chars().all(|c| c.is_ascii_lowercase() || c == by);
        if called || self.tools.contains(word) || self.begins_like_a_tool(word) || (quoted && joined('-')) {
            names.tools.insert(word.to_owned());
        } else if (joined('_') || in_humps(word)) && !KEYWORDS.contains(&word) {
            names.others.insert(word.to_owned());
        }
    }

    /// What a page names that is not there, in words.
    pub fn missing(&self, names: &Names) -> Vec<String> {
        let absent = |what: &str, named: &BTreeSet<String>, there: &BTreeSet<String>| -> Vec<String> {
            named.difference(there).map(|name| format!("there is no {what} {name}")).collect()
        };
        let tools = absent("tool", &names.tools, &self.tools);
        let spelt = names.others.iter().filter(|word| !self.words.contains(*word) && !self.words.contains(&flat(word)));
        let others = spelt.map(|word| format!("there is no word {word} in the code")).collect();
        [tools, others, absent("route", &names.routes, &self.routes)].concat()
    }
}

fn part_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn words_of_code() -> BTreeSet<String> {
    let split = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let words: BTreeSet<_> = files("src", ".rs").iter().flat_map(|source| split(&source.text)).collect();
    assert!(words.len() > 1000, "the code was not found");
    words
}

/// `sessionId` as the code spells it, which is `session_id`.
fn flat(word: &str) -> String {
    let small = |c: char| if c.is_ascii_uppercase() { format!("_{}", c.to_ascii_lowercase()) } else { c.to_string() };
    word.chars().map(small).collect()
}

/// `sessionId`, but neither `Id` nor `session`.
fn in_humps(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.contains(|c: char| c.is_ascii_uppercase())
}

/// Paths stand at the beginning of a word of their own, and are no links to files.
fn routes(text: &str) -> BTreeSet<String> {
    let begins = |at: usize| text[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '`' || c == '"');
    let path = |at: usize| {
        let rest = &text[at..];
        let end = rest.find(|c: char| !part_of_word(c) && !"/{}.".contains(c)).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').to_owned()
    };
    text.match_indices('/').filter(|(at, _)| begins(*at)).map(|(at, _)| path(at)).collect()
}

#[test]
fn names_are_found_and_prose_is_not() {
    let known = Known::of(&["propose", "check-proposal", "fleet_send"], &["/mcp"]);
    let text =
        "A->>C: propose(title)\nturn-done, re-read `git log` and/or ends. `check-order` fleet_read sessionId `/x/{id}`.
        turn_tail paneSong wind_song";
    let names = known.named_in(text);
    let found = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(found(&names.tools), "check-order fleet_read propose");
    assert_eq!(found(&names.others), "paneSong sessionId turn_tail wind_song");
    assert_eq!(found(&names.routes), "/x/{id}");
    let missing = known.missing(&names).join(", ");
    let expected = "there is no tool check-order, there is no tool fleet_read, there is no word paneSong in the code, \
        there is no word wind_song in the code, there is no route /x/{id}";
    assert_eq!(missing, expected);
}
