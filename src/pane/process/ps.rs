//! Where there are no process files, `ps` knows the name of the program in front, and no more: nothing is proven there.

use std::process::{Command, Stdio};

use super::Running;
use crate::domain::facts::UNREAD;

/// The program in the foreground, by the terminal that the pane's first process has.
pub(super) fn foreground(tty: &str, pane_pid: u32) -> Option<Running> {
    let fields = ask(&["-o", "tty=,tpgid=", "-p", &pane_pid.to_string()])?;
    let pid = leader(tty, &fields)?;
    let line = ask(&["-o", "command=", "-p", &pid.to_string()])?;
    let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let command = argv.first()?.rsplit('/').next()?.to_owned();
    Some(Running { pid, command, argv, env_names: vec![UNREAD.to_owned()], ..Running::default() })
}

/// The group in front of a terminal, if it is this terminal.
fn leader(tty: &str, fields: &str) -> Option<u32> {
    let (terminal, leader) = fields.trim().split_once(char::is_whitespace)?;
    let name = |text: &str| text.trim_start_matches("/dev/").to_owned();
    let same = !terminal.is_empty() && name(tty) == name(terminal);
    leader.trim().parse().ok().filter(|pid| same && *pid > 0)
}

#[expect(clippy::disallowed_methods, reason = "looking at the panes' programs is what pane is for")]
fn ask(words: &[&str]) -> Option<String> {
    let output = Command::new("ps").args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_in_front_is_that_of_the_same_terminal() {
        assert_eq!(leader("/dev/pts/3", "pts/3      41\n"), Some(41));
        assert_eq!(leader("/dev/ttys003", " ttys003 977"), Some(977));
        for other in ["pts/33 41", "? 41", "pts/3 -1", "pts/3 0", "pts/3", ""] {
            assert_eq!(leader("/dev/pts/3", other), None, "{other}");
        }
        let own = ask(&["-o", "tty=,tpgid=,command=", "-p", &std::process::id().to_string()]);
        assert!(own.is_some_and(|line| line.contains("countersign")));
        assert_eq!(ask(&["-o", "command=", "-p", "4194305"]), None);
    }
}
