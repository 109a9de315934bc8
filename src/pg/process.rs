//! Starting programs: a bare environment, no terminal, and the last line they printed when they fail.

use std::path::Path;
use std::process::{Command, Stdio};

use super::error::Error;

/// A command with nothing of our environment: settings meant for another Postgres must not reach this one, nor secrets its account.
#[expect(clippy::disallowed_methods, reason = "running Postgres is what pg is for")]
pub(super) fn bare(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LC_ALL", "C")
        .current_dir("/")
        .stdin(Stdio::null());
    command
}

/// A command with our environment, for what depends on the user's `PATH`.
#[expect(clippy::disallowed_methods, reason = "running Postgres is what pg is for")]
pub(super) fn inheriting(program: &str) -> Command {
    Command::new(program)
}

/// Runs to the end and returns what it printed, trimmed; `None` when it is missing or fails.
pub(super) fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Runs to the end; a failure carries the end of what it said.
pub(super) fn run(name: &'static str, command: &mut Command) -> Result<(), Error> {
    let output = command.output().map_err(Error::io(format!("run {}", command.get_program().display())))?;
    if output.status.success() {
        return Ok(());
    }
    let says = last_lines(&String::from_utf8_lossy(&output.stderr));
    Err(Error::Failed { program: name, says })
}

/// The last lines that say something, on one line.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let from = lines.len().saturating_sub(3);
    match lines.get(from..) {
        Some(tail) if !tail.is_empty() => tail.join("; "),
        _ => "it printed nothing".to_owned(),
    }
}
