//! What runs in a pane: the program in the foreground of its terminal, where it stands, and what its environment names.

mod proc;
mod programs;
mod ps;

use std::path::PathBuf;

pub use programs::agent_kind;

/// The program in a pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Running {
    /// Its process.
    pub pid: u32,
    /// Its name, as the system has it.
    pub command: String,
    /// Its words, as it was started or as it calls itself.
    pub argv: Vec<String>,
    /// The folder in which it would run a command; none where that cannot be known, and then nothing is proven.
    pub cwd: Option<PathBuf>,
    /// The shell that it would hand a command to, by name; empty where that is not known, and then nothing is proven.
    pub shell: String,
    /// The names of its variables, never their values, without those whose value is known to change nothing; `*` alone
    /// where they cannot be read.
    pub env_names: Vec<String>,
    /// Its home folder, where git's own settings are looked up. It stays on this machine.
    pub home: Option<PathBuf>,
    /// The folders in which it looks for programs. They stay on this machine.
    pub path: Vec<PathBuf>,
}

/// The program in the foreground of a pane's terminal; `pane_pid` is the pane's first process, and `tty` is checked to be
/// its terminal. Where an interpreter or a wrapper leads the group, it is the agent that it has started. None where the
/// two do not belong together any more, or where nothing can be read.
pub fn foreground(tty: &str, pane_pid: u32) -> Option<Running> {
    if proc::is_here() { proc::foreground(tty, pane_pid) } else { ps::foreground(tty, pane_pid) }
}
