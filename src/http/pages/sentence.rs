//! A sentence with names in it, as a judgement gives its reasons: what stands in backticks is a name somebody chose.

use std::ops::Range;

use crate::domain::text::{Kind, Shown, show};

/// A sentence ready to be shown.
#[derive(Debug, Clone, Default)]
pub struct Sentence(pub Vec<Piece>);

/// A part of a sentence.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The words.
    pub text: Shown,
    /// It is a name: a flag, a path, a host.
    pub code: bool,
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        let paired = text.matches('`').count().is_multiple_of(2);
        let piece = |(index, part): (usize, &str)| {
            let code = paired && index % 2 == 1;
            let kind = if code { Kind::Command } else { Kind::Prose };
            (!part.is_empty()).then(|| Piece { text: show(part, kind), code })
        };
        let separator = if paired { '`' } else { '\0' };
        Self(text.split(separator).enumerate().filter_map(piece).collect())
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

/// Where a command has the names of a reason, as whole words of the shell or in front of a `=`.
pub fn named_in(command: &str, reason: &str) -> Vec<Range<usize>> {
    if !reason.matches('`').count().is_multiple_of(2) {
        return Vec::new();
    }
    let names = reason.split('`').skip(1).step_by(2).filter(|name| !name.trim().is_empty());
    names.flat_map(|name| places(command, name)).collect()
}

fn places(command: &str, name: &str) -> Vec<Range<usize>> {
    let starts =
        |at: usize| command[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || "'\"=(;&|".contains(c));
    let ends = |at: usize| command[at..].chars().next().is_none_or(|c| c.is_whitespace() || "'\"=);&|".contains(c));
    let found = command.match_indices(name).map(|(at, _)| at..at + name.len());
    found.filter(|place| starts(place.start) && ends(place.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_and_found() {
        let sentence = Sentence::from("`--output` makes git write a file");
        let parts: Vec<_> = sentence.0.iter().map(|piece| (piece.text.tokens[0].text.as_str(), piece.code)).collect();
        assert_eq!(parts, [("--output", true), (" makes git write a file", false)]);
        assert_eq!(Sentence::from("a ` alone").0.len(), 1);
        let command = "git log --output=x --output-dir y '--output'";
        let found = named_in(command, "`--output` makes git write a file");
        assert_eq!(found, [8..16, 35..43]);
        assert!(named_in(command, "odd ` one `--output`").is_empty());
        assert!(named_in("rm x", "`` nothing").is_empty());
    }
}
