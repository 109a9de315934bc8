//! The simulated agent in a pane of a tmux server of its own, and what it noted of the keys it got.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use countersign::domain::screen::{self, AgentKind, Reading};
use countersign::pane::frame::{self, Size};
use serde_json::Value;

use super::scratch;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A tmux server with one session, in which the simulated agent plays a script.
pub struct AgentPane {
    /// Where tmux keeps its sockets: `TMUX_TMPDIR` for whoever wants to reach it.
    pub folder: PathBuf,
    /// The socket's name, for `-L` and `--tmux-socket`.
    pub socket: String,
    /// The agent's pane, `%0`.
    pub pane: String,
    /// The tmux server.
    server: u32,
    log: PathBuf,
    kind: AgentKind,
}

impl AgentPane {
    /// Starts it as Claude Code, in a pane of this size, and waits for its first screen.
    pub fn open(script: &str, size: (u16, u16)) -> Self {
        Self::open_as(AgentKind::Claude, script, size)
    }

    /// The same as another agent.
    pub fn open_as(kind: AgentKind, script: &str, size: (u16, u16)) -> Self {
        Self::open_in(&scratch::repository(""), kind, script, size)
    }

    /// The same in a folder.
    pub fn open_in(cwd: &Path, kind: AgentKind, script: &str, (cols, rows): (u16, u16)) -> Self {
        let folder = scratch::folder("agent-pane");
        let (steps, log) = (folder.join("script.jsonl"), folder.join("agent.jsonl"));
        std::fs::write(&steps, script).unwrap();
        std::fs::write(&log, "").unwrap();
        // The name of the program is what a pane client tells the agent by.
        let program = folder.join(kind.as_str());
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_countersign"), &program).unwrap();
        let mut pane = Self { folder, socket: "agents".to_owned(), pane: String::new(), server: 0, log, kind };
        let (cols, rows) = (cols.to_string(), rows.to_string());
        let words = ["-f", "/dev/null", "new-session", "-d", "-P", "-F", "#{pane_id} #{pid}", "-x", &cols, "-y", &rows];
        let agent = ["demo", "agent", "--kind", kind.as_str(), "--script"].map(OsStr::new);
        let files = [steps.as_os_str(), OsStr::new("--log"), pane.log.as_os_str()];
        let place = [OsStr::new("-c"), cwd.as_os_str()];
        let all = words.into_iter().map(OsStr::new).chain(place).chain([program.as_os_str()]).chain(agent).chain(files);
        // What runs in the pane inherits this environment, and a variable may change what a tool does.
        let said = pane.tmux_with(all, |command| {
            command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
            for (name, value) in
                [("HOME", "/nowhere"), ("SHELL", "/bin/bash"), ("TERM", "xterm-256color"), ("LANG", "C.UTF-8")]
            {
                command.env(name, value);
            }
        });
        let (id, server) = said.trim().split_once(' ').unwrap();
        (pane.pane, pane.server) = (id.to_owned(), server.parse().unwrap());
        scratch::stop_at_exit("TERM", pane.server);
        pane.wait_for("its first screen", |notes| notes.iter().any(|note| note["shown"].is_string()));
        pane
    }

    /// Runs tmux on this server and returns what it says.
    pub fn tmux(&self, words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> String {
        self.tmux_with(words, |_| ())
    }

    fn tmux_with(
        &self,
        words: impl IntoIterator<Item = impl AsRef<OsStr>>,
        environment: impl FnOnce(&mut Command),
    ) -> String {
        let mut command = scratch::program("tmux");
        environment(&mut command);
        command.env("TMUX_TMPDIR", &self.folder).env_remove("TMUX").args(["-u", "-L", &self.socket]).args(words);
        let done = command.stdin(Stdio::null()).output().unwrap();
        assert!(done.status.success(), "tmux: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Presses keys by tmux' names, as somebody at the terminal would.
    pub fn press(&self, keys: &[&str]) {
        self.tmux(["send-keys", "-t", &self.pane].iter().chain(keys));
    }

    /// The visible screen, as text.
    pub fn seen(&self) -> String {
        self.tmux(["capture-pane", "-p", "-t", &self.pane])
    }

    /// What the visible screen means.
    pub fn read(&self) -> Reading {
        let sizes = self.tmux(["display-message", "-p", "-t", &self.pane, "#{pane_width} #{pane_height}"]);
        let (cols, rows) = sizes.trim().split_once(' ').unwrap();
        let size = Size { cols: cols.parse().ok(), rows: rows.parse().ok() };
        let capture = self.tmux(["capture-pane", "-p", "-e", "-t", &self.pane]);
        screen::read(self.kind, &frame::screen(capture.as_bytes(), size))
    }

    /// All that the agent noted so far.
    pub fn notes(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.log).unwrap();
        // A line that is still being written is no note yet.
        let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
        whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The keys that arrived, in order.
    pub fn keys(&self) -> Vec<String> {
        self.notes().iter().filter_map(|note| note["key"].as_str().map(str::to_owned)).collect()
    }

    /// The rows that were chosen, in order.
    pub fn chosen(&self) -> Vec<Value> {
        self.notes().iter().filter(|note| note["chose"].is_object()).map(|note| note["chose"].clone()).collect()
    }

    /// Waits until the notes are as expected, and returns them.
    pub fn wait_for(&self, what: &str, expected: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let began = Instant::now();
        loop {
            let notes = self.notes();
            if expected(&notes) {
                return notes;
            }
            assert!(began.elapsed() < PATIENCE, "no sign of {what}; {notes:?}\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the screen reads as expected.
    pub fn wait_until(&self, what: &str, expected: impl Fn(&Reading) -> bool) -> Reading {
        let began = Instant::now();
        loop {
            let reading = self.read();
            if expected(&reading) {
                return reading;
            }
            assert!(began.elapsed() < PATIENCE, "no sign of {what}; {reading:?}\n{}", self.seen());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for AgentPane {
    fn drop(&mut self) {
        let ended = scratch::program("tmux")
            .env("TMUX_TMPDIR", &self.folder)
            .args(["-L", &self.socket, "kill-server"])
            .stderr(Stdio::null())
            .status();
        if ended.is_ok_and(|status| status.success()) {
            scratch::gone(self.server);
        }
    }
}
