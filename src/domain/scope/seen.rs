//! The hosts and paths that a request names, for the review page: listed even where nothing is proven.

use super::line::steps;
use super::urls;
use crate::domain::dialog::Dialog;
use crate::domain::shell;
use crate::domain::subject::Subject;
use crate::domain::tables::{Claim, Set};

/// What a request names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Hosts, each once; an address that cannot be read plainly stands in full.
    pub hosts: Vec<String>,
    /// Paths, each once.
    pub paths: Vec<SeenPath>,
}

/// One path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPath {
    /// As facts know it: the word, with the folders in front to which the same line went before.
    pub word: String,
    /// Where the disk has it, if the client looked it up.
    pub real: Option<String>,
}

/// Lists what a dialog's subject names.
pub fn seen(subject: &Subject, dialog: &Dialog) -> Seen {
    let mut found = Seen::default();
    let command = subject.command.as_deref().unwrap_or_default();
    for url in subject.urls.iter().cloned().chain(urls::named_in(command)) {
        let host = urls::host(&url).map_or(url, |(host, _)| host);
        if !found.hosts.contains(&host) {
            found.hosts.push(host);
        }
    }
    let mut words = subject.files.clone();
    let line = shell::lex(command).ok();
    for step in line.iter().flat_map(|line| steps(line, Set::All)) {
        let Ok((_, claims)) = step.read else { continue };
        words.extend(
            claims.into_iter().filter(|placed| matches!(placed.claim, Claim::Path { .. })).map(|placed| placed.key),
        );
    }
    for word in words {
        if found.paths.iter().all(|path| path.word != word) {
            let fact = dialog.facts.as_ref().and_then(|facts| facts.paths.get(&word));
            found.paths.push(SeenPath { real: fact.map(|fact| fact.real.clone()), word });
        }
    }
    found
}
