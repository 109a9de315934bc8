//! Where there are no process files, `ps` knows the name of the program in front, and no more: nothing is proven there.

use std::process::{Command, Stdio};

use super::Running;
use crate::domain::facts::UNREAD;

/// The program in the foreground, by the terminal that the pane's first process has.
pub(super) fn foreground(tty: &str, pane_pid: u32) -> Option<Running> {
    let fields = ask(&["-o", "tty=,tpgid=", "-p", &pane_pid.to_string()])?;
    let (terminal, leader) = fields.trim().split_once(char::is_whitespace)?;
    let same = !terminal.is_empty() && tty.trim_start_matches("/dev/") == terminal.trim_start_matches("/dev/");
    let pid: u32 = leader.trim().parse().ok().filter(|pid| same && *pid > 0)?;
    let line = ask(&["-o", "command=", "-p", &pid.to_string()])?;
    let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let command = argv.first()?.rsplit('/').next()?.to_owned();
    Some(Running { pid, command, argv, env_names: vec![UNREAD.to_owned()], ..Running::default() })
}

#[expect(clippy::disallowed_methods, reason = "looking at the panes' programs is what pane is for")]
fn ask(words: &[&str]) -> Option<String> {
    let output = Command::new("ps").args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text).filter(|text| !text.trim().is_empty())
}
