//! A tmux server of the test's own with one pane, a shell in it, and whatever was started there.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use countersign::domain::screen::{self, AgentKind, Reading};
use countersign::pane::frame::{self, Size};
use countersign::pane::process;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::scratch;

const COLS: u16 = 120;
const ROWS: u16 = 40;

/// An agent starts and comes to its dialog in this time, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often the screen is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// The name of its socket.
pub const SOCKET: &str = "agents";

/// The pane. With it everything ends that was started in it, daemons too.
pub struct Terminal {
    kind: AgentKind,
    folder: PathBuf,
    home: PathBuf,
    /// Its id, `%0`.
    pub pane: String,
}

impl Terminal {
    /// Opens one in `work`, for a person whose home is `home` and who has these variables and commands.
    pub fn open(kind: AgentKind, [home, work]: [&Path; 2], variables: &[String], commands: &Path) -> Self {
        let folder = scratch::folder("tmux");
        let mut terminal = Self { kind, folder, home: home.to_owned(), pane: String::new() };
        let script = r#"commands=$1; shift; exec env -i PATH="$commands:$PATH" "$@" bash --norc --noprofile"#;
        let size = [COLS.to_string(), ROWS.to_string()];
        let own = ["TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/bash", "PS1=$ "].map(str::to_owned);
        let places = [format!("HOME={}", home.display()), format!("TMPDIR={}", home.display())];
        let mut command = terminal.tmux();
        command.args(["-f", "/dev/null", "-u", "new-session", "-d", "-P", "-F", "#{pane_id}"]);
        command.args(["-x", &size[0], "-y", &size[1], "-c"]).arg(work).args(["sh", "-c", script, "sh"]);
        command.arg(commands).args(own).args(places).args(variables);
        said(&mut command).trim().clone_into(&mut terminal.pane);
        terminal
    }

    /// What the environment must say for this tmux to be found by its socket's name.
    pub fn place(&self) -> (&'static str, &OsStr) {
        ("TMUX_TMPDIR", self.folder.as_os_str())
    }

    fn tmux(&self) -> Command {
        let (name, folder) = self.place();
        let mut command = scratch::program("tmux");
        command.env(name, folder).env_remove("TMUX").args(["-L", SOCKET]).stdin(Stdio::null());
        command
    }

    /// Types a line and enters it.
    pub fn enter(&self, line: &str) {
        said(self.tmux().args(["send-keys", "-t", &self.pane, "-l", line]));
        self.press("Enter");
    }

    /// Presses a key, by tmux' name for it.
    pub fn press(&self, key: &str) {
        said(self.tmux().args(["send-keys", "-t", &self.pane, key]));
    }

    /// Which agent the process in the pane is, as a pane client finds out.
    pub fn program(&self) -> Option<AgentKind> {
        let told = said(self.tmux().args(["display-message", "-p", "-t", &self.pane, "#{pane_tty} #{pane_pid}"]));
        let (tty, pid) = told.trim().split_once(' ').unwrap();
        process::foreground(tty, pid.parse().unwrap()).as_ref().and_then(process::agent_kind)
    }

    /// The visible screen with its colours.
    fn screen(&self) -> String {
        said(self.tmux().args(["capture-pane", "-p", "-e", "-t", &self.pane]))
    }

    /// The visible screen as text, as far as there is one: this may be asked while a test fails.
    pub fn seen(&self) -> String {
        let output = self.tmux().args(["capture-pane", "-p", "-t", &self.pane]).output();
        output.map(|said| String::from_utf8_lossy(&said.stdout).into_owned()).unwrap_or_default()
    }

    /// What the screen means.
    pub fn reading(&self) -> Reading {
        let size = Size { cols: Some(COLS), rows: Some(ROWS) };
        screen::read(self.kind, &frame::screen(self.screen().as_bytes(), size))
    }

    /// Returns once the screen means such a thing twice in a row.
    pub async fn until(&self, what: &str, so: impl Fn(&Reading) -> bool) -> Reading {
        let began = Instant::now();
        let mut before = None;
        loop {
            let reading = self.reading();
            if so(&reading) && before.as_ref() == Some(&reading) {
                return reading;
            }
            assert!(began.elapsed() < PATIENCE, "never {what}: {reading:#?}");
            before = Some(reading);
            tokio::time::sleep(LOOK).await;
        }
    }

    /// All processes of the person at this pane, also those that have left it.
    fn processes(&self) -> Vec<Pid> {
        let own = format!("HOME={}", self.home.display());
        let numbers = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let theirs = numbers.filter(|pid: &i32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == own.as_bytes())
        });
        theirs.filter_map(Pid::from_raw).collect()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the screen:\n{}", self.seen());
        }
        let began = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() || began.elapsed() > PATIENCE {
                break;
            }
            for pid in left {
                // One that has gone by itself is what is wanted.
                let _ = kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(LOOK);
        }
        drop(self.tmux().arg("kill-server").stderr(Stdio::null()).status());
    }
}

/// What a command prints, after it went well.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
