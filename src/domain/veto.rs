//! The veto (always-escalate): force pushes, `rm -rf`, `git reset --hard`, `git clean -f`, `sudo rm`, in any spelling.
//!
//! It beats every policy and rule, so it looks at every word of every reading and rather hits too often.

use super::reading::{self, Reading, Simple, Word, is_text, starts};

/// What it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A push that may overwrite others' work.
    ForcePush,
    /// A recursive deletion that asks nothing.
    RecursiveRemove,
    /// Uncommitted work is thrown away.
    HardReset,
    /// Untracked files are thrown away.
    Clean,
    /// A deletion as another user.
    RaisedRemove,
}

impl Hit {
    /// The sentence that the review page shows.
    pub const fn text(self) -> &'static str {
        match self {
            Self::ForcePush => "A forced push can overwrite what others have pushed.",
            Self::RecursiveRemove => "`rm` with `-r` and `-f` removes whole folders without asking.",
            Self::HardReset => "`git reset --hard` throws uncommitted work away.",
            Self::Clean => "`git clean` with force removes files that git does not know.",
            Self::RaisedRemove => "`rm` behind `sudo` removes files as another user.",
        }
    }
}

/// The first hit in anything that would run, or that another program may take for a command.
pub fn find(reading: &Reading) -> Option<Hit> {
    reading.commands.iter().find_map(|command| in_command(command, true))
}

/// The first line of a text about a dialog that is a command and hits. Prose that only speaks of one is none.
pub fn find_in_text(text: &str) -> Option<Hit> {
    let lines = text.lines().filter(|line| may_hit(line));
    lines.into_iter().find_map(|line| {
        let line = unlisted(line);
        reading::read(line).commands.iter().find_map(|command| in_command(command, false))
    })
}

/// A line without the marks of a list or a prompt in front: `1. `, `❯ `, `- `.
fn unlisted(line: &str) -> &str {
    let bare =
        line.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '\\' | '\'' | '"' | '$' | '('));
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = bare.len() > rest.len();
    rest.strip_prefix(['.', ')']).filter(|_| number).unwrap_or(bare)
}

/// Whether a line that is no command needs to be read at all: every hit has a flag, a `+` or another user in it.
fn may_hit(text: &str) -> bool {
    text.contains(['-', '+']) || ["sudo", "doas", "pkexec"].iter().any(|name| text.contains(name))
}

fn in_command(command: &Simple, by_others: bool) -> Option<Hit> {
    let words = &command.words;
    let starts = starts(words);
    // A program that we do not know may start whatever its arguments name; one that only reads text does not.
    let anywhere = by_others && starts.iter().any(|&at| !is_text(&words[at].program()));
    let place = |wanted: fn(&Word) -> bool| {
        if anywhere { words.iter().position(wanted) } else { starts.iter().copied().find(|&at| wanted(&words[at])) }
    };
    if let Some(at) = place(is_rm) {
        if command.raised {
            return Some(Hit::RaisedRemove);
        }
        if removes_all(&words[at + 1..]) {
            return Some(Hit::RecursiveRemove);
        }
    }
    // `$X -rf`, `/bin/r? -rf`: the name is open, the flags are not.
    let open = starts.iter().find(|&&at| words[at].open);
    if open.is_some_and(|&at| removes_all(&words[at + 1..])) {
        return Some(Hit::RecursiveRemove);
    }
    place(is_git).and_then(|at| in_git(&words[at + 1..]))
}

fn is_rm(word: &Word) -> bool {
    matches!(&*word.program(), "rm" | "grm")
}

fn is_git(word: &Word) -> bool {
    &*word.program() == "git"
}

/// Both recursive and forced, in one bundle or several, long, shortened or upper-cased.
fn removes_all(args: &[Word]) -> bool {
    let has = |short: char, long: &str| args.iter().any(|word| has_flag(&word.text, short, long));
    has('r', "--recursive") && has('f', "--force")
}

/// Whether a word is the flag: the letter in a bundle, or the long form or any beginning of it longer than `--`.
fn has_flag(word: &str, short: char, long: &str) -> bool {
    let word = word.to_ascii_lowercase();
    match word.strip_prefix("--") {
        Some(name) => !name.is_empty() && long.starts_with(&word),
        None => word.strip_prefix('-').is_some_and(|bundle| bundle.contains(short)),
    }
}

/// Git's own options that take the next word.
const TAKES_NEXT: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"];

fn in_git(args: &[Word]) -> Option<Hit> {
    let mut at = 0;
    let mut aliased = false;
    while let Some(word) = args.get(at).filter(|word| word.text.starts_with('-')) {
        at += 1 + usize::from(TAKES_NEXT.contains(&word.text.as_str()));
        aliased |= args.get(at.wrapping_sub(1)).is_some_and(|word| word.text.starts_with("alias."));
    }
    let command = args.get(at)?;
    let rest = &args[at + 1..];
    let force = || rest.iter().any(|word| has_force(&word.text));
    let hard = || rest.iter().any(|word| word.text.to_ascii_lowercase().starts_with("--ha"));
    match command.text.to_ascii_lowercase().as_str() {
        "push" if force() || rest.iter().any(|word| word.text.starts_with('+')) => Some(Hit::ForcePush),
        "reset" if hard() => Some(Hit::HardReset),
        "clean" if force() => Some(Hit::Clean),
        // A name given on the spot may stand for any of them.
        _ if aliased && force() => Some(Hit::ForcePush),
        _ if aliased && hard() => Some(Hit::HardReset),
        _ => None,
    }
}

/// `-f` in any bundle, `--force` and its shortened forms, `--force-with-lease`, `--mirror` (which forces every ref).
fn has_force(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    match word.strip_prefix("--") {
        Some(name) => name.starts_with("forc") || name == "for" || name == "mirror",
        None => word.strip_prefix('-').is_some_and(|bundle| bundle.contains('f')),
    }
}

#[cfg(test)]
mod tests;
