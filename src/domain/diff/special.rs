//! What is special about a file of a change and easily missed between its lines.

/// A remark about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The file is new.
    Created,
    /// The file goes away.
    Deleted,
    /// The file gets another name.
    Renamed,
    /// The file is a copy of another.
    Copied,
    /// Its mode changes from one to another.
    Mode(String, String),
    /// It becomes or is created as a program that can be run.
    Executable,
    /// Its content cannot be shown.
    Binary,
    /// It is a link to another place.
    Symlink,
    /// It is a pointer to a commit of another repository.
    Submodule,
    /// It pins other people's code, and hardly anybody reads it.
    LockFile,
    /// It says what runs, or who may do what.
    Sensitive,
    /// It now ends without a line end.
    LosesLineEnd,
    /// It now ends with a line end.
    GainsLineEnd,
    /// The patch says another number of lines than it has; tools may refuse it or read it otherwise.
    Miscounted,
    /// The patch names it in two ways; tools may follow either.
    Misnamed,
}

impl Note {
    /// The remark in words.
    pub fn text(&self) -> String {
        match self {
            Self::Created => "new file".into(),
            Self::Deleted => "deleted".into(),
            Self::Renamed => "renamed".into(),
            Self::Copied => "copied".into(),
            Self::Mode(from, to) => format!("mode {from} → {to}"),
            Self::Executable => "can be executed".into(),
            Self::Binary => "binary: its content cannot be shown".into(),
            Self::Symlink => "symbolic link".into(),
            Self::Submodule => "submodule".into(),
            Self::LockFile => "lock file".into(),
            Self::Sensitive => "says what runs".into(),
            Self::LosesLineEnd => "no line end at the end".into(),
            Self::GainsLineEnd => "line end added at the end".into(),
            Self::Miscounted => "line counts do not add up".into(),
            Self::Misnamed => "names do not agree".into(),
        }
    }

    /// Whether it deserves a warning's colour.
    pub fn is_loud(&self) -> bool {
        matches!(
            self,
            Self::Deleted
                | Self::Mode(..)
                | Self::Executable
                | Self::Binary
                | Self::Symlink
                | Self::Submodule
                | Self::Sensitive
                | Self::Miscounted
                | Self::Misnamed
        )
    }
}

/// What a file's mode says.
pub(super) fn of_mode(mode: &str) -> Option<Note> {
    match mode {
        "120000" => Some(Note::Symlink),
        "160000" => Some(Note::Submodule),
        _ if mode.len() == 6 && mode.starts_with("100") && mode[3..].contains(['1', '3', '5', '7']) => {
            Some(Note::Executable)
        }
        _ => None,
    }
}

/// What a file's name says.
pub(super) fn of_name(path: &str) -> Option<Note> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has = |list: &str, name: &str| list.split_whitespace().any(|known| known == name);
    if has(LOCK_FILES, name) {
        Some(Note::LockFile)
    } else if has(RUNNERS, name) || path.split('/').rev().skip(1).any(|folder| has(CONTROL_FOLDERS, folder)) {
        Some(Note::Sensitive)
    } else {
        None
    }
}

const LOCK_FILES: &str = "Cargo.lock package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb \
    poetry.lock uv.lock pdm.lock Pipfile.lock composer.lock Gemfile.lock go.sum flake.lock mix.lock deno.lock \
    packages.lock.json gradle.lockfile";

const RUNNERS: &str = "Makefile makefile GNUmakefile justfile Justfile build.rs conftest.py setup.py noxfile.py tox.ini \
    Dockerfile Jenkinsfile Vagrantfile package.json .envrc .npmrc .mcp.json .gitattributes .gitmodules .gitlab-ci.yml \
    .pre-commit-config.yaml AGENTS.md CLAUDE.md";

const CONTROL_FOLDERS: &str = ".git .github .husky .claude .codex .vscode .cargo .circleci .devcontainer .ci";
