//! Starting programs for the demo: with nothing of the settings that belong to another server.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use crate::cli::failure::{Failure, Outcome};

/// What would send the demo's programs to somebody's real server, database or tmux.
const FOREIGN: &[&str] = &[
    "COUNTERSIGN_DATA",
    "COUNTERSIGN_PASSWORD_FILE",
    "COUNTERSIGN_LOG",
    "COUNTERSIGN_LOG_FORMAT",
    "DATABASE_URL",
    "TMUX",
    "TMUX_PANE",
];

/// A program by name or path, in a process group of its own: Ctrl-C reaches the demo alone, which stops the others in order.
#[expect(clippy::disallowed_methods, reason = "the demo is a server, tmux and a client side by side")]
pub(super) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for name in FOREIGN {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).process_group(0);
    command
}

/// This program itself.
pub(super) fn ourselves() -> Outcome<Command> {
    Ok(program(std::env::current_exe()?))
}

/// Runs a program to its end and returns what it printed; without the program, says what to install.
pub(super) async fn ask(command: &mut Command) -> Outcome<String> {
    let name = Path::new(command.as_std().get_program()).display().to_string();
    let done = command.output().await.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure {
            code: 3,
            text: format!(
                "the demo needs {name}, which is not installed; on Debian and Ubuntu: apt-get install {name}"
            ),
        },
        _ => Failure::failed(format!("cannot run {name}: {error}")),
    })?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned());
    }
    Err(Failure::failed(format!("{name} failed: {}", String::from_utf8_lossy(&done.stderr).trim())))
}
