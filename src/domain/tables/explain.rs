//! Why a table does not accept a word, in a sentence for people.

use super::grammar::Danger;
use super::reading::Fault;

/// Words longer than this are cut in a sentence; the whole command is shown beside it.
const SHOWN: usize = 60;

/// The danger that a word is known for: as it stands, with `=` and a value, or shortened as long options may be.
pub(super) fn known<'a>(word: &str, dangers: &'a [Danger]) -> Option<&'a Danger> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let exact = dangers.iter().find(|danger| danger.words.iter().any(|one| *one == word || *one == name));
    exact.or_else(|| {
        let shortened = name.starts_with("--") && name.len() > 3;
        dangers.iter().find(|danger| shortened && danger.words.iter().any(|one| abbreviates(name, one)))
    })
}

/// Whether a long option is cut short; `--coverage` is none of `--coverage.provider`.
fn abbreviates(name: &str, whole: &str) -> bool {
    whole.strip_prefix(name).is_some_and(|rest| !rest.starts_with('.'))
}

/// A word with a known danger.
pub(super) fn dangerous(word: &str, danger: &Danger) -> Fault {
    fault("dangerous_flag", format!("`{}` {}.", shown(word), danger.why))
}

/// A flag that the table does not have.
pub(super) fn flag(command: &str, word: &str, flag: &str, dangers: &[Danger]) -> Fault {
    match known(word, dangers).or_else(|| known(flag, dangers)) {
        Some(danger) => dangerous(flag, danger),
        None => unknown(command, flag),
    }
}

/// A subcommand that the table does not have.
pub(super) fn subcommand(command: &str, word: &str, dangers: &[Danger]) -> Fault {
    match known(word, dangers) {
        Some(danger) => fault("dangerous_subcommand", format!("`{command} {}` {}.", shown(word), danger.why)),
        None => fault(
            "unknown_subcommand",
            format!("`{command} {}` is not among the forms of `{command}` that may run unasked.", shown(word)),
        ),
    }
}

/// A word or flag that has no place.
pub(super) fn unknown(command: &str, word: &str) -> Fault {
    let code = if word.starts_with('-') { "unknown_flag" } else { "unknown_word" };
    fault(code, format!("`{}` is not known to be harmless for `{command}`.", shown(word)))
}

/// A flag whose value is missing, or has one where none may be.
pub(super) fn value(command: &str, flag: &str) -> Fault {
    fault(
        "odd_value",
        format!("`{}` of `{command}` has no plain value where one belongs, or one where none does.", shown(flag)),
    )
}

/// A word of the wrong type.
pub(super) fn word(command: &str, word: &str, why: &str) -> Fault {
    fault("odd_word", format!("`{}` {why} (`{command}`).", shown(word)))
}

/// A word is missing: the program would ask at the terminal, or do something else.
pub(super) fn missing(command: &str) -> Fault {
    fault("missing_word", format!("`{command}` needs one more word to be a form that may run unasked."))
}

/// A flag is missing without which the program does more.
pub(super) fn required(command: &str, group: &[&str]) -> Fault {
    let flag = group.first().copied().unwrap_or_default();
    fault("missing_flag", format!("`{command}` without `{flag}` does more than may be done unasked."))
}

/// A program without a table.
pub(super) fn program(name: &str) -> Fault {
    fault("unknown_program", format!("`{}` is not among the programs that may run unasked.", shown(name)))
}

fn fault(code: &'static str, text: String) -> Fault {
    Fault { code, text }
}

fn shown(word: &str) -> String {
    if word.chars().count() <= SHOWN {
        return word.to_owned();
    }
    let head: String = word.chars().take(SHOWN).collect();
    format!("{head}…")
}
