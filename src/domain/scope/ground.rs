//! What a proof stands on: the lane's folders and the pane client's facts, checked once.

use super::places::{Places, components};
use super::reason;
use crate::domain::dialog::Dialog;
use crate::domain::facts::{Facts, PathKind};
use crate::domain::shell;
use crate::domain::verdict::Reason;

/// Folders, working folder and facts that were found sound.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    pub(super) facts: &'a Facts,
    pub(super) cwd: &'a str,
    pub(super) places: Places,
    homes: [&'a str; 3],
}

impl<'a> Ground<'a> {
    /// The ground of a dialog, or why there is none.
    pub(super) fn of(dialog: &'a Dialog) -> Result<Self, Vec<Reason>> {
        let Some(facts) = &dialog.facts else {
            return Err(vec![reason(
                "facts_missing",
                "The pane client sent no facts about the disk, so nothing can be proven.",
            )]);
        };
        if facts.root_real.is_empty() {
            return Err(vec![reason("root_unknown", "The pane client did not say where the repository really is.")]);
        }
        at_home(dialog)?;
        let places = Places::new(&dialog.worktree, &dialog.repo_root, &facts.root_real, facts.case_insensitive);
        let Some(places) = places else {
            return Err(vec![reason(
                "root_too_wide",
                "The worktree or the repository's root is the whole disk, a home or system folder, or no absolute path: nothing can be \"inside\" it.",
            )]);
        };
        let homes = [&dialog.cwd, &dialog.worktree, &dialog.repo_root].map(String::as_str);
        let ground = Self { facts, cwd: &dialog.cwd, places, homes };
        ground.working_folder()?;
        Ok(ground)
    }

    /// The working folder itself: inside by name, and, where the client looked it up, on the disk.
    fn working_folder(&self) -> Result<(), Vec<Reason>> {
        let below = self.places.below(self.cwd);
        let real = match self.facts.paths.get(".") {
            Some(fact) => fact.inside && fact.kind == PathKind::Dir && self.places.below(&fact.real).is_some(),
            None => true,
        };
        match below {
            Some(parts) if real && !super::names::is_git_folder(&parts) => Ok(()),
            Some(_) | None => Err(vec![reason(
                "cwd_outside",
                "The folder in which it would run is not known to be inside the worktree or the repository.",
            )]),
        }
    }

    /// Whether a folder is the working folder or the root of the lane's own repository.
    pub(super) fn is_home(&self, folder: &str) -> bool {
        let folder = super::places::components(folder);
        folder.is_some() && self.homes.iter().any(|home| super::places::components(home) == folder)
    }

    /// Whether the shell reads a command as we do.
    pub(super) fn shell(&self) -> Option<Reason> {
        (!shell::is_known_shell(&self.facts.shell)).then(|| {
            let text = match self.facts.shell.as_str() {
                "" => "The pane client did not say which shell would read the command.".to_owned(),
                shell => {
                    format!("The shell `{}` may read the command differently from bash, zsh, dash or sh.", short(shell))
                }
            };
            reason("unknown_shell", text)
        })
    }
}

/// Whether the folders that the client names are the lane's: nothing of another folder is proven for this lane.
fn at_home(dialog: &Dialog) -> Result<(), Vec<Reason>> {
    let Some(home) = &dialog.home else { return Ok(()) };
    let same = |one: &str, other: &str| components(one).is_some() && components(one) == components(other);
    let root = same(&dialog.repo_root, &home.repo) || same(&dialog.repo_root, &home.worktree);
    if root && same(&dialog.worktree, &home.worktree) {
        return Ok(());
    }
    let text = format!(
        "The pane client reports the worktree `{}` in the repository `{}`, but this lane is registered for `{}`.",
        short(&dialog.worktree),
        short(&dialog.repo_root),
        short(&home.worktree),
    );
    Err(vec![reason("root_differs", text)])
}

/// A word for a sentence: long ones are cut, the whole stands beside it.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 80;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    let head: String = text.chars().take(SHOWN).collect();
    format!("{head}…")
}
