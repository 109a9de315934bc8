//! What only a program beside the repository can know, read for one dialog: real paths, git's settings, the shell.
//!
//! Honest or silent: what cannot be read is left out or marked as unread, and then the proof holds. It is true of the
//! moment at which it was read; the same digest, read again right before a key is pressed, says that nothing has changed.

mod git;
mod paths;
mod searched;
mod shadows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use self::paths::Inside;
use super::discover::Lane;
use super::process::{Running, agent_kind};
use crate::domain::dialog::Dialog;
use crate::domain::facts::{Facts, PaneIdentity, PathFact, UNREAD};
use crate::domain::{scope, shell, subject, tables};

/// How long the disk may take: a dead network drive answers nobody.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most words that are looked up; a command of more is accepted by nobody.
const MOST_WORDS: usize = shell::MAX_WORDS;

/// Where a dialog stands, in the words that its report has to use: the server accepts no other folders for the lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder in which a command would run, with every link resolved.
    pub cwd: String,
    /// The lane's worktree, as the server knows it.
    pub worktree: String,
    /// The repository's folder, as the server knows it; or the worktree again, where only that one can be proven.
    pub repo_root: String,
}

impl Place {
    /// The place of a program in a lane; none where a folder has no name in UTF-8.
    ///
    /// A worktree that the disk has elsewhere than its name says, and not below the repository either, is "inside" by
    /// its real place alone: so it is named as the root as well. The server takes it for that, and proves less.
    pub fn of(lane: &Lane, cwd: &Path) -> Option<Self> {
        let cwd = std::fs::canonicalize(cwd).unwrap_or_else(|_| cwd.to_path_buf());
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let (worktree, repo) = (real(&lane.worktree), real(&lane.repo));
        let by_name = worktree.as_deref() == Some(&lane.worktree);
        let below = lane.worktree.strip_prefix(&lane.repo).ok();
        let in_repo = below.is_some() && worktree == repo.zip(below).map(|(repo, rest)| repo.join(rest));
        let root = if by_name || in_repo { &lane.repo } else { &lane.worktree };
        let text = |path: &Path| path.to_str().map(str::to_owned);
        Some(Self { cwd: text(&cwd)?, worktree: text(&lane.worktree)?, repo_root: text(root)? })
    }

    /// The dialog, standing here.
    pub fn stand(&self, dialog: &Dialog) -> Dialog {
        Dialog {
            cwd: self.cwd.clone(),
            worktree: self.worktree.clone(),
            repo_root: self.repo_root.clone(),
            facts: None,
            ..dialog.clone()
        }
    }
}

/// Reads the facts for a dialog. Whoever reports it names the folders of `place` in the report.
///
/// In front of a program that is no agent (`ssh`, a container's client, a shell) nothing is known: where and by which
/// shell a command would run is that program's business.
pub async fn read(dialog: &Dialog, place: &Place, running: &Running, pane: PaneIdentity) -> Facts {
    let dialog = place.stand(dialog);
    let subject = subject::extract(&dialog);
    let question = Question {
        words: scope::needed(&subject, &dialog),
        programs: programs(subject.command.as_deref().unwrap_or_default()),
        place: place.clone(),
        search: running.path.clone(),
        knows_cwd: running.cwd.is_some(),
    };
    let found = match agent_kind(running) {
        Some(_) => {
            timeout(PATIENCE, spawn_blocking(move || question.answer())).await.ok().and_then(Result::ok).flatten()
        }
        None => None,
    };
    let mut facts = match found {
        Some(found) => {
            let git = git::ask(&found.cwd, &found.inside, running).await;
            Facts {
                root_real: found.root_real,
                bare_repo: git.bare,
                paths: found.paths,
                git_exec_keys: git.keys,
                shadow_modules: found.shadows,
                env_names: variables(running, found.searched),
                case_insensitive: found.case_insensitive,
                ..Facts::default()
            }
        }
        None => nothing(),
    };
    facts.shell.clone_from(&running.shell);
    facts.pane = Some(pane);
    facts.digest = facts.fingerprint([&place.cwd, &place.worktree, &place.repo_root], running.pid);
    facts
}

/// The facts of a disk that could not be read: no root, so nothing is proven.
fn nothing() -> Facts {
    let unread = || vec![UNREAD.to_owned()];
    Facts { git_exec_keys: unread(), shadow_modules: unread(), env_names: unread(), ..Facts::default() }
}

/// The names that matter to any program that is ever accepted: the others are nobody else's business.
fn variables(running: &Running, searched: bool) -> Vec<String> {
    let matters = |name: &&String| name.as_str() == UNREAD || (name.as_str() != "PATH" && tables::heeded(name));
    let mut names: Vec<String> = running.env_names.iter().filter(matters).cloned().collect();
    if searched {
        names.push("PATH".to_owned());
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The programs that a command names, if it is understood at all; otherwise nothing is proven of it anyway.
fn programs(command: &str) -> Vec<String> {
    let line = shell::lex(command).ok();
    line.iter().flat_map(|line| &line.segments).map(|segment| segment.name().to_owned()).collect()
}

/// What is looked up on the disk.
struct Question {
    words: Vec<String>,
    programs: Vec<String>,
    place: Place,
    search: Vec<PathBuf>,
    knows_cwd: bool,
}

/// What was found.
struct Found {
    cwd: PathBuf,
    root_real: String,
    inside: Inside,
    paths: BTreeMap<String, PathFact>,
    shadows: Vec<String>,
    searched: bool,
    case_insensitive: bool,
}

impl Question {
    /// Looks it up. None where the worktree or the root is not there.
    fn answer(self) -> Option<Found> {
        let worktree = std::fs::canonicalize(&self.place.worktree).ok()?;
        let root = std::fs::canonicalize(&self.place.repo_root).ok()?;
        let root_real = root.to_str()?.to_owned();
        let case_insensitive = paths::folds_case(&worktree);
        let inside = Inside::new([worktree, root]);
        let cwd = PathBuf::from(&self.place.cwd);
        let here = if self.knows_cwd { paths::fact(&cwd, ".", &inside) } else { None };
        let mut found = BTreeMap::new();
        found.insert(".".to_owned(), here.unwrap_or_else(PathFact::nowhere));
        if self.words.len() <= MOST_WORDS {
            let words = self.words.iter();
            found.extend(words.filter_map(|word| Some((word.clone(), paths::fact(&cwd, word, &inside)?))));
        }
        Some(Found {
            shadows: shadows::beside(&cwd),
            searched: searched::leads_inside(&self.programs, &self.search, &inside),
            cwd,
            root_real,
            inside,
            paths: found,
            case_insensitive,
        })
    }
}
