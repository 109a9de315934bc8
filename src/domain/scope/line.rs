//! A command line walked from left to right: what each command claims, and in which folder it would stand.

use crate::domain::dialog::Dialog;
use crate::domain::shell::{self, Line, Operator, Segment};
use crate::domain::subject::Subject;
use crate::domain::tables::{self, Claim, Fault, Set, Table};

use super::paths::is_here;

/// One command, in its place.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) segment: &'a Segment,
    /// Its table, and its claims with the key of each path; or why it is not accepted.
    pub(super) read: Result<(&'static Table, Vec<Placed>), Fault>,
    /// The folder that the same line went to before it, as facts know it; empty where it went nowhere.
    pub(super) base: String,
    /// It may run in the first folder or in the one that an earlier `cd` names, and which is not known.
    pub(super) unsure: bool,
    /// It is a `cd` that shares a pipe, so whether it moves the shell depends on the shell.
    pub(super) piped_cd: bool,
}

/// A claim, and where it stands.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) claim: Claim,
    /// The word by which facts know the path: with the folders in front to which the same line went before.
    pub(super) key: String,
}

/// Walks a line.
pub(super) fn steps(line: &Line, set: Set) -> Vec<Step<'_>> {
    let mut base = String::new();
    let (mut moved, mut unsure) = (false, false);
    let mut steps = Vec::with_capacity(line.segments.len());
    for (index, segment) in line.segments.iter().enumerate() {
        // After `;` and `||` a command runs even if the `cd` before it failed or was skipped.
        unsure |= moved && matches!(segment.operator, Operator::Or | Operator::Then | Operator::Newline);
        let is_cd = segment.name() == "cd";
        let piped = segment.is_piped() || line.segments.get(index + 1).is_some_and(Segment::is_piped);
        let read = tables::read(set, segment).map(|reading| {
            let claims: Vec<Placed> =
                reading.claims.into_iter().map(|claim| Placed { key: key(&base, &claim), claim }).collect();
            (reading.table, claims)
        });
        let before = base.clone();
        if let (true, Ok((_, claims))) = (is_cd, &read) {
            moved = true;
            unsure |= segment.operator == Operator::Or;
            if let Some(Placed { key, .. }) = claims.first() {
                base.clone_from(key);
            }
        }
        steps.push(Step { segment, read, base: before, unsure, piped_cd: is_cd && piped });
    }
    steps
}

/// The key of a claim's path after the folders gone to: `cd a && cat b` asks for `a` and for `a/b`.
fn key(base: &str, claim: &Claim) -> String {
    let Claim::Path { text, .. } = claim else { return String::new() };
    match (base, text.as_str()) {
        ("", text) => text.to_owned(),
        (base, text) if is_here(text) => base.to_owned(),
        (_, text) if text.starts_with('/') => text.to_owned(),
        (base, text) => format!("{}/{text}", base.trim_end_matches('/')),
    }
}

/// Every word whose path a proof will look up in the facts, in order, each once: the closed list that the pane client
/// resolves. A word stands as it is written; one behind an inner `cd DIR` has `DIR/` in front, so that the same word in
/// two folders is two keys. All are relative to the dialog's working folder. `.` is never asked for.
pub fn needed(subject: &Subject, dialog: &Dialog) -> Vec<String> {
    let mut words: Vec<String> = subject.files.clone();
    let line = subject.command.as_deref().and_then(|command| shell::lex(command).ok());
    for step in line.iter().flat_map(|line| steps(line, Set::All)) {
        let Ok((_, claims)) = step.read else { continue };
        let paths = claims.into_iter().filter(|placed| matches!(placed.claim, Claim::Path { .. }));
        words.extend(paths.map(|placed| placed.key));
    }
    let mut seen = std::collections::BTreeSet::new();
    words.retain(|word| !word.is_empty() && !is_here(word) && word != &dialog.cwd && seen.insert(word.clone()));
    words
}
