//! A whole command line, proven command by command.

use super::ground::Ground;
use super::line::{Placed, Step, steps};
use super::settings::settings;
use super::{paths, reason};
use crate::domain::dialog::Dialog;
use crate::domain::shell::{self, Operator};
use crate::domain::tables::{self, Claim, Set, Table};
use crate::domain::verdict::Reason;

/// What a command is proven for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To look and to build.
    Run,
    /// To remove named files.
    Remove,
    /// To look at addresses.
    Fetch,
}

/// Why a command cannot be proven; empty when it is.
pub(super) fn reasons(command: &str, dialog: &Dialog, purpose: Purpose) -> Vec<Reason> {
    let line = match shell::lex(command) {
        Ok(line) => line,
        Err(rejection) => return vec![reason(rejection.why.code(), rejection.why.text())],
    };
    let set = match purpose {
        Purpose::Run => Set::Programs,
        Purpose::Remove => Set::Removing,
        Purpose::Fetch => Set::Fetching,
    };
    let steps = steps(&line, set);
    let mut reasons: Vec<Reason> = steps.iter().filter_map(unread).collect();
    if line.segments.iter().any(|segment| segment.operator == Operator::Newline) {
        reasons.push(reason(
            "several_lines",
            "The command goes over several lines; a row that the terminal broke cannot be told from a new command.",
        ));
    }
    reasons.extend(order(&steps, purpose));
    match Ground::of(dialog) {
        Ok(ground) => {
            reasons.extend(ground.shell());
            for step in &steps {
                step_reasons(&ground, step, &mut reasons);
            }
        }
        Err(more) => reasons.extend(more),
    }
    reasons
}

/// Why a step's words are not accepted.
fn unread(step: &Step<'_>) -> Option<Reason> {
    step.read.as_ref().err().map(|fault| reason(fault.code, fault.text.clone()))
}

/// What the order of the commands makes unprovable.
fn order(steps: &[Step<'_>], purpose: Purpose) -> Option<Reason> {
    if steps.iter().any(|step| step.piped_cd) {
        return Some(reason("piped_cd", "A `cd` in a pipe moves the shell in some shells and not in others."));
    }
    // What runs first could replace a path by a link before it is removed.
    let runs = steps.iter().any(|step| tables::runs(step.segment.name()));
    (purpose == Purpose::Remove && runs).then(|| {
        reason(
            "runs_and_removes",
            "It runs code of the repository and removes files; what is removed may not be what was looked up.",
        )
    })
}

fn step_reasons(ground: &Ground<'_>, step: &Step<'_>, reasons: &mut Vec<Reason>) {
    let Ok((table, claims)) = &step.read else { return };
    reasons.extend(settings(table, step.segment, ground.facts));
    reasons.extend(elsewhere(ground, table, &step.base));
    for Placed { claim, key } in claims {
        let proven = match claim {
            Claim::Path { text, .. } if step.unsure && !text.starts_with('/') => Err(reason(
                "folder_unsure",
                format!(
                    "`{text}` stands behind a `cd` that may fail, so in which folder it is looked up is not known."
                ),
            )),
            Claim::Path { text, usage } => ground.path(text, key, *usage),
            Claim::Named(text) => paths::named(text),
            // Addresses are judged together, with those that the dialog names.
            Claim::Url(_) => Ok(()),
        };
        reasons.extend(proven.err());
    }
}

/// What the client found out about git and shadowed modules is true of the working folder alone: a folder below it may be
/// a repository of its own, with a configuration that starts programs, or hold a file that shadows a module.
fn elsewhere(ground: &Ground<'_>, table: &Table, base: &str) -> Option<Reason> {
    let reads_folder = matches!(table.name, "git" | "python" | "python3");
    let moved = !base.is_empty() && !paths::is_here(base) && !ground.is_home(base);
    (reads_folder && moved).then(|| {
        let name = table.name;
        reason(
            "other_folder",
            format!(
                "`{name}` behind a `cd` may meet another repository's settings or files, which were not looked up."
            ),
        )
    })
}
