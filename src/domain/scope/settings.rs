//! What on this machine makes a program do more than its words say.

use super::ground::short;
use super::reason;
use crate::domain::facts::git::{ELSEWHERE, HOOK, concerns};
use crate::domain::facts::{Facts, UNREAD};
use crate::domain::shell::Segment;
use crate::domain::tables::{self, Table};
use crate::domain::verdict::Reason;

/// The reasons against one command.
pub(super) fn settings(table: &Table, segment: &Segment, facts: &Facts) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if table.name == "git" {
        let argv = segment.argv();
        git(argv.get(1).map_or("", String::as_str), facts, &mut reasons);
    }
    if matches!(table.name, "pytest" | "python" | "python3") && !facts.shadow_modules.is_empty() {
        let text = if is_unread(&facts.shadow_modules) {
            "The working folder could not be read, so a file in it may run instead of a module.".to_owned()
        } else {
            let file = short(&facts.shadow_modules.join("`, `"));
            format!("`{file}` in the working folder would run instead of the module of that name.")
        };
        reasons.push(reason("shadowed_module", text));
    }
    let heeded = |name: &&String| table.heeds(name) || tables::matters_to_every_program(name);
    if is_unread(&facts.env_names) {
        reasons.push(reason(
            "environment_unread",
            "The variables of the pane could not be read, so what they change is not known.",
        ));
    } else if let Some(name) = facts.env_names.iter().find(heeded) {
        let text = match name.as_str() {
            "PATH" => format!("The pane's `PATH` may lead `{}` to a program in the lane's own folders.", table.name),
            name => {
                format!("The variable `{}` is set in the pane and changes what `{}` does.", short(name), table.name)
            }
        };
        reasons.push(reason("environment_set", text));
    }
    reasons
}

fn git(subcommand: &str, facts: &Facts, reasons: &mut Vec<Reason>) {
    let keys = &facts.git_exec_keys;
    if is_unread(keys) {
        reasons.push(reason(
            "git_unread",
            "git's configuration here could not be read, so which programs it starts is not known.",
        ));
    }
    if keys.iter().any(|key| key == ELSEWHERE) {
        reasons.push(reason("git_elsewhere", "git works here on files outside the worktree and the repository."));
    }
    let named = |key: &&String| !matches!(key.as_str(), UNREAD | ELSEWHERE) && concerns(key, subcommand);
    let (hooks, keys): (Vec<&str>, Vec<&str>) =
        keys.iter().filter(named).map(String::as_str).partition(|key| key.starts_with(HOOK));
    match keys.as_slice() {
        [] => {}
        [key] => reasons.push(reason(
            "git_runs_programs",
            format!("git's configuration here starts a program by `{}`.", short(key)),
        )),
        keys => {
            let all = short(&keys.join("`, `"));
            reasons.push(reason("git_runs_programs", format!("git's configuration here starts programs by `{all}`.")));
        }
    }
    if !hooks.is_empty() {
        let all = short(&hooks.iter().map(|hook| &hook[HOOK.len()..]).collect::<Vec<_>>().join("`, `"));
        reasons.push(reason("git_runs_programs", format!("git would start the repository's hook `{all}`.")));
    }
    if facts.bare_repo {
        reasons.push(reason(
            "bare_repository",
            "The working folder is in a bare repository, which brings its own configuration.",
        ));
    }
}

fn is_unread(list: &[String]) -> bool {
    list.iter().any(|entry| entry == UNREAD)
}
