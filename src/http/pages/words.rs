//! The server's own sentences: what is asked for and what it takes, in words no agent wrote.

pub mod dialogs;

use crate::domain::ask::Kind;
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;

/// What a proposal consists of, as far as a sentence tells it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outline {
    /// Which sort of decision.
    pub kind: Kind,
    /// It has a command.
    pub command: bool,
    /// Files of its body, if that is a patch.
    pub files: usize,
    /// Lines added and removed, if it changes a text.
    pub lines: Option<(usize, usize)>,
    /// Lines of a text that stands alone.
    pub text: Option<usize>,
    /// Questions asked.
    pub questions: usize,
}

/// What is asked for.
pub fn sentence(outline: Outline) -> String {
    match outline {
        Outline { kind: Kind::Question, questions: 1, .. } => "Answer a question".into(),
        Outline { kind: Kind::Question, questions, .. } => format!("Answer {questions} questions"),
        Outline { lines: Some((added, removed)), files, command, .. } => {
            let what = match files {
                0 | 1 => "Change a file".to_owned(),
                many => format!("Change {many} files"),
            };
            let run = if command { " and run a command" } else { "" };
            format!("{what}{run}: {}", counts(added, removed))
        }
        Outline { text: Some(count), command, .. } => {
            let run = if command { " and run a command" } else { "" };
            format!("Write a text{run}: {}", lines(count))
        }
        Outline { command: true, .. } => "Run a command".into(),
        _ => "Let something happen".into(),
    }
}

fn counts(added: usize, removed: usize) -> String {
    match (added, removed) {
        (0, 0) => "no line differs".into(),
        (added, 0) => format!("{} added", lines(added)),
        (0, removed) => format!("{} removed", lines(removed)),
        (added, removed) => format!("{} added, {removed} removed", lines(added)),
    }
}

/// `1 line`, `2 lines`.
pub fn lines(count: usize) -> String {
    plural(count, "line")
}

/// A count with its noun.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The risk as a word of its own.
pub fn risk(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "Low risk",
        Risk::Medium => "Medium risk",
        Risk::High => "High risk",
    }
}

/// A status as a person says it.
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Pending => "Waiting",
        Status::Approved => "Approved",
        Status::Modified => "Approved with an edit",
        Status::Rejected => "Rejected",
        Status::Expired => "Expired",
        Status::Withdrawn => "Withdrawn",
    }
}

/// The first groups of a digest, enough to compare two screens.
pub fn short_digest(hex: &str) -> String {
    let groups: Vec<&str> = [0..4, 4..8, 8..12].into_iter().filter_map(|range| hex.get(range)).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_is_asked_for() {
        let change = Outline::default();
        let cases = [
            (Outline { lines: Some((2, 1)), files: 1, ..change }, "Change a file: 2 lines added, 1 removed"),
            (Outline { lines: Some((1, 0)), files: 3, ..change }, "Change 3 files: 1 line added"),
            (
                Outline { lines: Some((0, 0)), command: true, ..change },
                "Change a file and run a command: no line differs",
            ),
            (Outline { text: Some(12), ..change }, "Write a text: 12 lines"),
            (Outline { command: true, ..change }, "Run a command"),
            (change, "Let something happen"),
            (Outline { kind: Kind::Question, questions: 1, ..change }, "Answer a question"),
            (Outline { kind: Kind::Question, questions: 2, ..change }, "Answer 2 questions"),
        ];
        for (outline, want) in cases {
            assert_eq!(sentence(outline), want);
        }
        assert_eq!(short_digest("7f3a91c0aabbccdd"), "7f3a 91c0 aabb");
    }
}
