//! What only a program beside the repository can know: real paths, git's configuration, the shell.

mod compact;
pub mod git;
pub mod variables;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::digest::Encoder;
pub use compact::Compact;

/// Stands in a list of the facts for "it could not be read": then anything may be so.
pub const UNREAD: &str = "*";

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

impl PathFact {
    /// A place that is known to be wrong. A working folder that is not known is said to be there: left out, it would be
    /// taken by its name.
    pub const fn nowhere() -> Self {
        Self { real: String::new(), kind: PathKind::Other, inside: false }
    }
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
    /// Keys of git's configuration that would start programs; `hooks/NAME` for a hook that is there, `*` where the
    /// configuration could not be read.
    pub git_exec_keys: Vec<String>,
    /// Files that shadow a module of the same name, e.g. `pytest.py`; `*` where the folder could not be read.
    pub shadow_modules: Vec<String>,
    /// Variables, by name, that would change what a tool does. `PATH` is among them only where it leads to a program of
    /// the lane's own; `*` where the variables could not be read.
    pub env_names: Vec<String>,
    /// The volume does not tell upper from lower case.
    pub case_insensitive: bool,
    /// The pane.
    #[serde(default)]
    pub pane: Option<PaneIdentity>,
    /// The client's hash over all of it, compared again at the send.
    pub digest: String,
}

impl Facts {
    /// The hash over all of it and over the folders it is about, in an order that does not depend on how it was read.
    /// What was read a second time and is the same has the same one.
    pub fn fingerprint(&self, folders: [&str; 3], process: u32) -> String {
        let mut encoder = Encoder::new("countersign/facts/1");
        for text in folders.into_iter().chain([self.shell.as_str(), self.root_real.as_str()]) {
            encoder.text(text);
        }
        encoder.number(u64::from(process));
        encoder.number(u64::from(self.bare_repo)).number(u64::from(self.case_insensitive));
        encoder.number(self.paths.len() as u64);
        for (word, fact) in &self.paths {
            encoder.text(word).text(&fact.real).number(fact.kind as u64).number(u64::from(fact.inside));
        }
        for list in [&self.git_exec_keys, &self.shadow_modules, &self.env_names] {
            let mut sorted: Vec<&str> = list.iter().map(String::as_str).collect();
            sorted.sort_unstable();
            encoder.number(sorted.len() as u64);
            for text in sorted {
                encoder.text(text);
            }
        }
        encoder.number(u64::from(self.pane.is_some()));
        if let Some(pane) = &self.pane {
            encoder.text(&pane.server).text(&pane.id).number(u64::from(pane.pid)).text(&pane.command);
            encoder.number(u64::from(pane.cols)).number(u64::from(pane.rows));
        }
        encoder.finish().to_string()
    }
}
