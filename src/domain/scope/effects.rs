//! What an approved request leaves behind for the ones after it. Where the words are not understood, more is assumed.

use super::line::steps;
use super::names;
use super::paths::is_here;
use crate::domain::dialog::Dialog;
use crate::domain::shell::{self, Line};
use crate::domain::subject::{Form, Subject};
use crate::domain::tables::{self, Set};
use crate::domain::verdict::Effects;

/// What approving a dialog would leave behind.
pub fn effects(subject: &Subject, dialog: &Dialog) -> Effects {
    let mut effects = Effects {
        writes_runner_file: subject.files.iter().any(|file| is_runner_file(file, dialog)),
        ..Effects::default()
    };
    // What is not understood of a change may be the name of such a file.
    if subject.doubt.is_some() && matches!(subject.form, Form::Edit | Form::Removal) {
        let cut = |c: char| c.is_whitespace() || "\"'`(){}<>=,:".contains(c);
        let bare = |word: &str| word.strip_prefix("a/").or_else(|| word.strip_prefix("b/")).map(str::to_owned);
        effects.writes_runner_file |= dialog
            .body
            .split(cut)
            .any(|word| is_runner_file(word, dialog) || bare(word).is_some_and(|word| is_runner_file(&word, dialog)));
    }
    let Some(command) = &subject.command else { return effects };
    if command.len() > shell::MAX_BYTES {
        // Nobody reads that much: everything is assumed.
        return Effects { writes_runner_file: true, runs: true, changes_shell: true };
    }
    let words = || command.split(|c: char| c.is_whitespace() || ";|&<>(){}'\"`=,".contains(c));
    match shell::lex(command) {
        Ok(line) => {
            effects.runs = line.segments.iter().any(|segment| is_runner(&segment.argv()));
            effects.changes_shell =
                line.segments.iter().any(|segment| tables::changes_shell(segment.name())) || leaves(&line, dialog);
            // What no table accepts may write any file that it names.
            let unknown = line.segments.iter().any(|segment| tables::read(Set::Programs, segment).is_err());
            effects.writes_runner_file |= unknown && words().any(|word| is_runner_file(word, dialog));
        }
        Err(_) => {
            effects.runs = words().any(|word| tables::runs(base_name(word)));
            effects.changes_shell =
                command.split([';', '|', '&', '\n', '(', ')', '{', '}', '`']).any(piece_changes_shell);
            effects.writes_runner_file |= words().any(|word| is_runner_file(word, dialog));
        }
    }
    effects
}

/// Whether a command starts a runner, by itself or behind a wrapper (`env`, `timeout 60`, `npx`).
fn is_runner(argv: &[String]) -> bool {
    let Some(name) = argv.first() else { return false };
    match tables::find(name) {
        Some(table) => table.runs,
        None => {
            argv.iter().any(|word| tables::runs(base_name(word)))
                || matches!(base_name(name), "npx" | "bunx" | "pnpx" | "tox" | "nox")
        }
    }
}

/// Whether a line leaves the next one's shell in a folder that its proof does not know: outside, or, where one shell reads
/// all commands of a session, anywhere but where the program itself stands.
fn leaves(line: &Line, dialog: &Dialog) -> bool {
    let ground = super::ground::Ground::of(dialog);
    let stays = has_a_shell_for_each(&dialog.agent_kind);
    steps(line, Set::Programs).iter().filter(|step| step.segment.name() == "cd").any(|step| {
        match (&step.read, &ground) {
            (Ok((_, claims)), Ok(ground)) => !claims.iter().all(|placed| match &placed.claim {
                tables::Claim::Path { text, usage } => {
                    let goes_nowhere = is_here(&placed.key) || placed.key == dialog.cwd;
                    (stays || goes_nowhere) && ground.path(text, &placed.key, *usage).is_ok()
                }
                _ => false,
            }),
            _ => true,
        }
    })
}

/// Programs that start a shell for every command, in a folder that they name each time. Claude keeps one, and of others
/// nothing is known.
fn has_a_shell_for_each(agent_kind: &str) -> bool {
    matches!(agent_kind, "codex" | "gemini" | "opencode")
}

/// Whether a piece of a line that is not understood may change the shell: by its first word behind variables, or by
/// setting a variable alone.
fn piece_changes_shell(piece: &str) -> bool {
    let mut words = piece.split_whitespace().peekable();
    let mut set = false;
    while words.next_if(|word| word.split_once('=').is_some_and(|(name, _)| is_variable(name))).is_some() {
        set = true;
    }
    match words.next() {
        Some(word) => {
            let bare: String = word.chars().filter(|c| !matches!(c, '\\' | '\'' | '"')).collect();
            bare == "cd" || tables::changes_shell(&bare)
        }
        None => set,
    }
}

fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether builds and tests execute a file, by its word or by where the disk has it.
fn is_runner_file(word: &str, dialog: &Dialog) -> bool {
    let split =
        |path: &str| names::is_runner_file(&path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>());
    let fact = dialog.facts.as_ref().and_then(|facts| facts.paths.get(word));
    split(word) || fact.is_some_and(|fact| split(&fact.real))
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
