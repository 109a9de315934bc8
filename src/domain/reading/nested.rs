//! Commands inside the words of a command: `sh -c '…'`, `eval …`, and text that another program may run.

use super::heads::{is_raising, is_shell, starts};
use super::{Simple, Word};

/// Programs whose arguments are text to them and never run.
const TEXT: &[&str] = &[
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "git", "gh", "cat", "ls", "head", "tail", "wc", "sort",
    "sed", "test", "[", "pytest", "cargo", "true", "false", "man", "which", "tee", "jq", "diff", "less", "read",
];

/// What a command holds.
#[derive(Default)]
pub(super) struct Inner {
    /// A text, whether it surely runs, and whether as another user.
    pub(super) texts: Vec<(String, bool, bool)>,
    /// Text that runs only if a shell reads it.
    pub(super) data: Vec<String>,
    /// A shell in it reads commands from where they are not seen.
    pub(super) feeds_shell: bool,
}

/// Whether the arguments of a program are nothing but text to it.
pub fn is_text(program: &str) -> bool {
    TEXT.contains(&program)
}

pub(super) fn of(command: &mut Simple) -> Inner {
    let mut inner = Inner::default();
    let starts = starts(&command.words);
    let mut raised = command.raised;
    let mut text_only = !starts.is_empty();
    for &at in &starts {
        let program = command.words[at].program();
        raised |= is_raising(&program);
        text_only &= is_text(&program);
        shell_text(&program, &command.words[at + 1..], raised, &mut inner);
        inner.feeds_shell |=
            is_shell(&program) || matches!(&*program, "source" | "." | "eval" | "xargs" | "parallel" | "at");
    }
    command.raised |= raised;
    let surely = inner.texts.len();
    let git_runs = text_only && runs_git_text(&command.words);
    for word in command.words.iter().chain(&command.assigned) {
        if let Some(text) = runnable(word) {
            if text_only && !git_runs {
                inner.data.push(text);
            } else if !inner.texts[..surely].iter().any(|(taken, ..)| *taken == text) {
                inner.texts.push((text, false, raised));
            }
        }
    }
    inner.data.append(&mut command.documents);
    if !text_only && !starts.is_empty() {
        inner.texts.extend(inner.data.drain(..).map(|text| (text, false, raised)));
    }
    inner
}

/// The text that a shell is told to run.
fn shell_text(program: &str, args: &[Word], raised: bool, inner: &mut Inner) {
    let join = |words: &[Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    if program == "eval" {
        inner.texts.push((join(args), true, raised));
    } else if program == "trap" {
        inner.texts.extend(args.first().map(|word| (word.text.clone(), true, raised)));
    } else if is_shell(program) {
        for (at, word) in args.iter().enumerate() {
            let Some(flags) = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-')) else { continue };
            let Some((_, attached)) = flags.split_once('c') else { continue };
            if attached.len() > 3 {
                inner.texts.push((attached.to_owned(), true, raised));
            }
            // Between `-c` and its text there may be more flags.
            let text = args[at + 1..].iter().find(|word| !word.text.starts_with(['-', '+']));
            inner.texts.extend(text.map(|word| (word.text.clone(), true, raised)));
            return;
        }
    }
}

/// Git starts programs for some of its commands, and aliases are commands.
fn runs_git_text(words: &[Word]) -> bool {
    words.iter().any(|word| {
        matches!(word.text.as_str(), "rebase" | "bisect" | "foreach" | "filter-branch" | "config")
            || word.text.starts_with("alias.")
    })
}

/// The part of a word that could be a command line of its own: quoted text with more than one word in it.
fn runnable(word: &Word) -> Option<String> {
    if !word.quoted {
        return None;
    }
    let (name, value) = match word.text.split_once('=') {
        Some((name, value)) if !name.contains(char::is_whitespace) => (name, value),
        _ => ("", word.text.as_str()),
    };
    if !value.contains(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | '$' | '`')) {
        return None;
    }
    match value.strip_prefix('!') {
        Some(command) => Some(command.to_owned()),
        // An alias of git's is a command of git's.
        None if name.starts_with("alias.") => Some(format!("git {value}")),
        None => Some(value.to_owned()),
    }
}
