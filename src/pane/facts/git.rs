//! git's settings as they apply in a folder, asked of git itself in a way that starts nothing.
//!
//! `rev-parse`, `config --list` and `ls-files` neither refresh the index nor print by a pager, run no hook and no
//! monitor; they get the pane's home folder and nothing else of anybody's environment. Variables of git that are set in
//! the pane are named among the environment and hold by that.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::time::timeout;

use super::paths::Inside;
use super::searched;
use crate::domain::facts::UNREAD;
use crate::domain::facts::git::{ELSEWHERE, HOOK, HOOKS, starts_program};
use crate::pane::process::Running;

/// How long git may take, all in all.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most that git may print: an index of some 100,000 files.
const MOST_BYTES: u64 = 16 << 20;
/// The most repositories that are looked at below one.
const MOST_SUBMODULES: usize = 32;

/// What git says about a folder.
pub(super) struct Settings {
    pub(super) keys: Vec<String>,
    pub(super) bare: bool,
}

impl Settings {
    fn unread() -> Self {
        Self { keys: vec![UNREAD.to_owned()], bare: false }
    }
}

/// Asks. What git does not say, in time and in full, is unread.
pub(super) async fn ask(cwd: &Path, inside: &Inside, running: &Running) -> Settings {
    let Some(git) = Git::of(inside, running) else { return Settings::unread() };
    match timeout(PATIENCE, git.settings(cwd, inside)).await {
        Ok(Some(settings)) => settings,
        Ok(None) | Err(_) => Settings::unread(),
    }
}

/// The pane's git, as the pane would start it.
struct Git<'a> {
    program: PathBuf,
    home: &'a Path,
}

/// The folders of a repository.
struct Repository {
    bare: bool,
    common: PathBuf,
    top: Option<PathBuf>,
}

impl<'a> Git<'a> {
    fn of(inside: &Inside, running: &'a Running) -> Option<Self> {
        let program = searched::outside("git", &running.path, inside)?;
        Some(Self { program, home: running.home.as_deref()? })
    }

    async fn settings(&self, cwd: &Path, inside: &Inside) -> Option<Settings> {
        let repository = self.repository(cwd).await?;
        let mut keys = self.keys(cwd).await?;
        keys.extend(hooks(&repository.common)?);
        let Some(top) = repository.top else { return Some(Settings { keys: sorted(keys), bare: repository.bare }) };
        if !std::fs::canonicalize(&top).is_ok_and(|top| inside.holds(&top)) {
            keys.insert(ELSEWHERE.to_owned());
        }
        // `status` and `diff` look into the repositories below, each with settings of its own.
        let mut below: VecDeque<PathBuf> = self.submodules(&top, &keys).await?.into();
        let mut looked = 0;
        while let Some(folder) = below.pop_front() {
            looked += 1;
            if looked > MOST_SUBMODULES {
                return None;
            }
            let more = self.keys(&folder).await?;
            below.extend(self.submodules(&folder, &more).await?);
            keys.extend(more);
        }
        Some(Settings { keys: sorted(keys), bare: repository.bare })
    }

    async fn repository(&self, cwd: &Path) -> Option<Repository> {
        let words =
            ["rev-parse", "--is-bare-repository", "--is-inside-git-dir", "--path-format=absolute", "--git-common-dir"];
        let said = String::from_utf8(self.say(cwd, &words).await?).ok()?;
        let lines: Vec<&str> = said.lines().collect();
        let [bare, in_git, common] = lines.as_slice() else { return None };
        // git's own folder brings the same settings as a bare repository, whatever it says of itself.
        let bare = (*bare, *in_git) != ("false", "false");
        let top = if bare { None } else { Some(self.top(cwd).await?) };
        Some(Repository { bare, common: PathBuf::from(common), top })
    }

    async fn top(&self, cwd: &Path) -> Option<PathBuf> {
        let said = String::from_utf8(self.say(cwd, &["rev-parse", "--show-toplevel"]).await?).ok()?;
        said.strip_suffix('\n').filter(|line| line.starts_with('/') && !line.contains('\n')).map(PathBuf::from)
    }

    /// The settings that start programs: of the system, the person, the repository, the worktree, and what they include.
    async fn keys(&self, folder: &Path) -> Option<BTreeSet<String>> {
        let said = self.say(folder, &["config", "--list", "--includes", "-z"]).await?;
        let mut last: BTreeMap<String, Option<String>> = BTreeMap::new();
        for entry in said.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            let entry = String::from_utf8_lossy(entry);
            let (key, value) = entry.split_once('\n').map_or((&*entry, None), |(key, value)| (key, Some(value)));
            // The last one counts.
            last.insert(key.to_owned(), value.map(str::to_owned));
        }
        let starts = last.into_iter().filter(|(key, value)| starts_program(key, value.as_deref()));
        self.in_use(folder, starts.map(|(key, _)| key).collect()).await
    }

    /// Leaves out the filters that no file in the folder's repository is given to: many people's own settings have the
    /// one for large files. Where anything else starts a program, git is held anyway and is not asked more.
    async fn in_use(&self, folder: &Path, keys: BTreeSet<String>) -> Option<BTreeSet<String>> {
        let filters: BTreeSet<&str> = keys.iter().filter_map(|key| filter_of(key)).collect();
        if filters.is_empty() || keys.iter().any(|key| filter_of(key).is_none()) {
            return Some(keys);
        }
        let mut used = BTreeSet::new();
        for filter in filters {
            let given = format!(":(top,attr:filter={filter})");
            let files = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", &given];
            let plain = filter.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
            if !plain || !self.say(folder, &files).await?.is_empty() {
                used.insert(filter.to_owned());
            }
        }
        Some(keys.into_iter().filter(|key| filter_of(key).is_some_and(|filter| used.contains(filter))).collect())
    }

    /// The repositories that are checked out below one. Where git is held anyway, nobody needs to know.
    async fn submodules(&self, top: &Path, keys: &BTreeSet<String>) -> Option<Vec<PathBuf>> {
        if keys.iter().any(|key| !key.starts_with(HOOK)) {
            return Some(Vec::new());
        }
        let said = self.say(top, &["ls-files", "--stage", "-z"]).await?;
        let entries = said.split(|byte| *byte == 0).filter(|entry| entry.starts_with(b"160000 "));
        let name = |entry: &[u8]| {
            let text = std::str::from_utf8(entry).ok()?;
            text.split_once('\t').map(|(_, name)| top.join(name))
        };
        let folders: Option<Vec<PathBuf>> = entries.map(name).collect();
        Some(folders?.into_iter().filter(|folder| folder.join(".git").symlink_metadata().is_ok()).collect())
    }

    /// What git prints; none where it fails or prints too much. A git that hangs is killed when the time is up.
    #[expect(clippy::disallowed_methods, reason = "asking git about the pane's folder is what facts are for")]
    async fn say(&self, folder: &Path, words: &[&str]) -> Option<Vec<u8>> {
        let mut child = Command::new(&self.program)
            .args(["--no-pager", "--no-optional-locks"])
            .args(words)
            .current_dir(folder)
            .env_clear()
            .env("HOME", self.home)
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .ok()?;
        let mut bytes = Vec::new();
        child.stdout.take()?.take(MOST_BYTES + 1).read_to_end(&mut bytes).await.ok()?;
        if bytes.len() as u64 > MOST_BYTES {
            return None;
        }
        child.wait().await.ok()?.success().then_some(bytes)
    }
}

/// The filter that a key is about.
fn filter_of(key: &str) -> Option<&str> {
    key.strip_prefix("filter.")?.rsplit_once('.').map(|(filter, _)| filter)
}

/// The hooks that are there and may be started; none where the folder cannot be read.
fn hooks(common: &Path) -> Option<Vec<String>> {
    let mut found = Vec::new();
    for hook in HOOKS {
        match std::fs::metadata(common.join("hooks").join(hook)) {
            Ok(file) if file.permissions().mode() & 0o111 != 0 => found.push(format!("{HOOK}{hook}")),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
    }
    Some(found)
}

fn sorted(keys: BTreeSet<String>) -> Vec<String> {
    keys.into_iter().collect()
}
