//! The program in front of a real terminal: found behind its wrapper, with its folder and the names of its variables.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use countersign::domain::screen::AgentKind;
use countersign::pane::process::{Running, agent_kind, foreground};

use crate::support::scratch::{self, program};

/// A terminal multiplexer of its own, which ends with the test.
struct Terminal {
    socket: PathBuf,
    folder: PathBuf,
}

impl Terminal {
    fn start(command: &str) -> Self {
        let folder = fs::canonicalize(scratch::folder("process")).unwrap();
        let terminal = Self { socket: folder.join("tmux"), folder };
        let folder = terminal.folder.to_str().unwrap();
        let words = ["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", folder, command];
        terminal.tmux(&words);
        terminal
    }

    fn tmux(&self, words: &[&str]) -> String {
        let mut tmux = program("tmux");
        tmux.arg("-S")
            .arg(&self.socket)
            .args(words)
            .env("SHELL", "/bin/sh")
            .env("STRIPE_KEY", "the-value")
            .env("PAGER", "less -R");
        let output = tmux.output().unwrap();
        assert!(output.status.success(), "tmux {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn pane(&self) -> (String, u32) {
        let said = self.tmux(&["display-message", "-p", "#{pane_tty} #{pane_pid}"]);
        let (tty, pid) = said.split_once(' ').unwrap();
        (tty.to_owned(), pid.parse().unwrap())
    }

    /// The program in front, once it is this one.
    fn until(&self, wanted: impl Fn(&Running) -> bool) -> Running {
        let (tty, pid) = self.pane();
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            match foreground(&tty, pid) {
                Some(running) if wanted(&running) => return running,
                other => assert!(Instant::now() < end, "{other:?}"),
            }
            std::thread::yield_now();
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        drop(program("tmux").arg("-S").arg(&self.socket).arg("kill-server").output());
    }
}

/// A program of this name that waits.
fn waiting(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::copy("/bin/sleep", &path).unwrap();
    path
}

#[test]
fn the_program_in_front_is_found_with_its_folder_and_the_names_of_its_variables() {
    let terminal = Terminal::start("exec cat");
    let cat = terminal.until(|running| running.command == "cat");
    assert_eq!(cat.cwd.as_deref(), Some(terminal.folder.as_path()));
    assert_eq!((cat.shell.as_str(), agent_kind(&cat)), ("sh", None));
    assert!(cat.env_names.iter().any(|name| name == "STRIPE_KEY"));
    assert!(cat.env_names.iter().all(|name| name != "PAGER"), "as it is set, it changes nothing");
    assert!(!format!("{cat:?}").contains("the-value"), "no value leaves the reader");
    let (tty, pid) = terminal.pane();
    assert_eq!(foreground("/dev/null", pid), None, "another terminal");
    assert_eq!(foreground(&tty, std::process::id()), None, "a process of another terminal");
    assert_eq!(foreground(&tty, u32::MAX), None);
}

#[test]
fn the_shell_is_in_front_until_it_starts_something() {
    let terminal = Terminal::start("exec sh");
    let shell = terminal.until(|running| running.argv == ["sh"]);
    let codex = waiting(&terminal.folder, "codex");
    fs::create_dir(terminal.folder.join("work")).unwrap();
    terminal.tmux(&["send-keys", "-l", &format!("cd work && {} 600", codex.display())]);
    terminal.tmux(&["send-keys", "Enter"]);
    let agent = terminal.until(|running| agent_kind(running) == Some(AgentKind::Codex));
    assert_ne!(agent.pid, shell.pid);
    assert_eq!(agent.cwd, Some(terminal.folder.join("work")));
    terminal.tmux(&["send-keys", "C-c"]);
    assert_eq!(terminal.until(|running| running.argv == ["sh"]).pid, shell.pid);
}

#[test]
fn an_agent_is_found_below_the_script_that_starts_it() {
    let folder = fs::canonicalize(scratch::folder("wrapped")).unwrap();
    let codex = waiting(&folder, "codex");
    fs::create_dir(folder.join("work")).unwrap();
    // As package runners do: a shell that waits, in a folder of its own.
    let script = folder.join("codex.sh");
    fs::write(&script, format!("cd work && OPENAI_BASE_URL=x {} 600; :\n", codex.display())).unwrap();
    let terminal = Terminal::start(&format!("cd {} && exec sh {}", folder.display(), script.display()));
    let agent = terminal.until(|running| running.command == "codex");
    assert_eq!(agent.cwd, Some(folder.join("work")));
    assert!(agent.env_names.iter().any(|name| name == "OPENAI_BASE_URL"));

    // A wrapper that says nothing of what it starts, and starts it by another script.
    let nameless = folder.join("start");
    fs::write(&nameless, format!("cd {} && sh {}; :\n", folder.display(), script.display())).unwrap();
    let terminal = Terminal::start(&format!("exec sh {}", nameless.display()));
    let agent = terminal.until(|running| running.command == "codex");
    assert_eq!((agent_kind(&agent), agent.cwd), (Some(AgentKind::Codex), Some(folder.join("work"))));
}
