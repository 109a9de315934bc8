//! What only a program beside the repository can know: real paths, git's configuration, the shell.

mod compact;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use compact::Compact;

/// What there is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// A file.
    File,
    /// A folder.
    Dir,
    /// Nothing yet; `real` is the real parent with the missing rest.
    Missing,
    /// A device, a socket, a pipe: never proven.
    Other,
}

/// One word of the command, or one target of an edit, as the disk has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PathFact {
    /// The path with every link resolved.
    pub real: String,
    /// What is there.
    pub kind: PathKind,
    /// The client's own finding that it is under the worktree or the repository's root; checked again here.
    pub inside: bool,
}

/// Which pane was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PaneIdentity {
    /// The terminal multiplexer's start, e.g. its process id and time.
    pub server: String,
    /// The bare `%N`.
    pub id: String,
    /// The pane's first process.
    pub pid: u32,
    /// The foreground command.
    pub command: String,
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
}

/// The contract's `facts` object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// The shell that will read the command, by name.
    pub shell: String,
    /// The repository's root with every link resolved.
    pub root_real: String,
    /// The working folder is inside a bare repository.
    pub bare_repo: bool,
    /// By the word as it stands in the command, with the folders in front to which the same line went before
    /// (`scope::needed` lists them).
    pub paths: BTreeMap<String, PathFact>,
    /// Keys of git's configuration that would start programs.
    pub git_exec_keys: Vec<String>,
    /// Files that shadow a module of the same name, e.g. `pytest.py`.
    pub shadow_modules: Vec<String>,
    /// Variables, by name, that would change what a tool does.
    pub env_names: Vec<String>,
    /// The volume does not tell upper from lower case.
    pub case_insensitive: bool,
    /// The pane.
    #[serde(default)]
    pub pane: Option<PaneIdentity>,
    /// The client's hash over all of it, compared again at the send.
    pub digest: String,
}
