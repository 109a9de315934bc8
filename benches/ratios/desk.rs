//! A desk: a repository, a tmux server of its own with simulated agents in it, and the pane client that watches them.

use std::ffi::OsStr;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Res;
use crate::process::{Running, program};
use crate::scratch::Scratch;

/// The name of the socket.
const SOCKET: &str = "agents";
/// How long the client may take to find every pane.
const PATIENCE: Duration = Duration::from_mins(1);
/// A pane counts as idle, and the client has nothing left to look at twice, when it was still for three seconds.
pub(crate) const STILL: Duration = Duration::from_secs(4);

/// Every call of tmux goes through this when calls are counted: it writes one byte a call, then is tmux.
const COUNTER: &str = "#!/bin/sh\necho >> \"${0%/*}/calls\"\nPATH=${PATH#*:}\nexport PATH\nexec tmux \"$@\"\n";

/// The desk; dropping it ends its tmux server.
pub(crate) struct Desk {
    folder: PathBuf,
    /// The repository in which the agents work.
    pub(crate) tree: PathBuf,
}

/// A pane and the process in it.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) pane: String,
    pub(crate) pid: u32,
    /// The tmux server.
    pub(crate) server: u32,
}

impl Desk {
    /// Makes its folder and the repository; tmux starts with the first seat.
    pub(crate) fn make(scratch: &Scratch, name: &str) -> Res<Self> {
        let folder = scratch.path().join(name);
        let tree = folder.join("tree");
        std::fs::create_dir_all(&tree)?;
        repository(&tree)?;
        // The name of the program is what a pane client tells the agent by.
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_countersign"), folder.join("claude"))?;
        std::fs::create_dir(folder.join("counted"))?;
        let mut counter = std::fs::File::options();
        let counter = counter.write(true).create_new(true).mode(0o755).open(folder.join("counted/tmux"));
        counter?.write_all(COUNTER.as_bytes())?;
        Ok(Self { folder, tree })
    }

    /// A file of this desk.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Opens a window with an agent that plays a script; the first window of a session makes the session.
    pub(crate) fn agent(&self, (session, is_first): (&str, bool), script: &Path, log: &Path) -> Res<Seat> {
        let agent = ["demo", "agent", "--kind", "claude", "--script"].map(OsStr::new);
        let program = self.file("claude");
        let words = [program.as_os_str()].into_iter().chain(agent);
        let files = [script.as_os_str(), OsStr::new("--log"), log.as_os_str()];
        self.seat((session, is_first), words.chain(files))
    }

    /// Opens a window with any program.
    pub(crate) fn seat<'a>(
        &self,
        (session, is_first): (&str, bool),
        words: impl Iterator<Item = &'a OsStr>,
    ) -> Res<Seat> {
        let mut command = self.tmux();
        command.args(["-f", "/dev/null"]);
        if is_first {
            command.args(["new-session", "-d", "-s", session, "-x", "120", "-y", "40"]);
        } else {
            command.args(["new-window", "-d", "-t", &format!("={session}:")]);
        }
        command.args(["-P", "-F", "#{pane_id} #{pane_pid} #{pid}", "-c"]).arg(&self.tree).args(words);
        // What runs in the pane inherits this environment, and a variable may change what a tool does.
        command.env_clear().env("PATH", path()).env("TMUX_TMPDIR", &self.folder);
        command.envs([("HOME", "/nowhere"), ("SHELL", "/bin/bash"), ("TERM", "xterm-256color"), ("LANG", "C.UTF-8")]);
        let said = said(command)?;
        let words: Vec<&str> = said.split_whitespace().collect();
        let [pane, pid, server] = words[..] else { return Err(format!("tmux said {said}").into()) };
        Ok(Seat { pane: pane.to_owned(), pid: pid.parse()?, server: server.parse()? })
    }

    /// One call of tmux, which is awaited.
    pub(crate) fn call(&self, words: &[&str]) -> Res<String> {
        let mut command = self.tmux();
        command.args(words);
        said(command)
    }

    fn tmux(&self) -> Command {
        let mut command = program("tmux");
        command.env("TMUX_TMPDIR", &self.folder).env_remove("TMUX").args(["-u", "-L", SOCKET]);
        command
    }

    /// Starts the pane client, and waits until it watches so many panes and all of them have rested for a while.
    pub(crate) async fn watch(&self, server: SocketAddr, token: &str, (panes, counted): (usize, bool)) -> Res<Running> {
        let file = self.file("token");
        let mut options = std::fs::File::options();
        options.write(true).create(true).truncate(true).mode(0o600).open(&file)?.write_all(token.as_bytes())?;
        let mut command = program(env!("CARGO_BIN_EXE_countersign"));
        command.args(["pane", "--server", &format!("http://{server}"), "--discover", "--tmux-socket", SOCKET]);
        command.arg("--token-file").arg(file).arg("--state-dir").arg(self.file("state"));
        command.env("TMUX_TMPDIR", &self.folder).env_remove("TMUX").env_remove("RUST_LOG");
        if counted {
            let mut path_of_counter = self.file("counted").into_os_string();
            path_of_counter.push(":");
            path_of_counter.push(path());
            command.env("PATH", path_of_counter);
        }
        let log = self.file("client.log");
        let client = Running::start(command, &log)?;
        let began = Instant::now();
        while std::fs::read_to_string(&log)?.matches("a pane is watched").count() < panes {
            if began.elapsed() > PATIENCE {
                return Err(format!("the client does not find its panes: {}", self.client_said()).into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(STILL).await;
        Ok(client)
    }

    /// How often the client has started tmux, since it was started with counting.
    pub(crate) fn calls(&self) -> Res<u64> {
        Ok(std::fs::metadata(self.file("counted/calls"))?.len())
    }

    /// The end of the client's log.
    pub(crate) fn client_said(&self) -> String {
        let text = std::fs::read_to_string(self.file("client.log")).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if let Err(error) = self.call(&["kill-server"]) {
            eprintln!("bench: a tmux server was not stopped: {error}");
        }
    }
}

fn said(mut command: Command) -> Res<String> {
    let done = command.output()?;
    if !done.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)).into());
    }
    Ok(String::from_utf8(done.stdout)?)
}

#[expect(clippy::disallowed_methods, reason = "the bench puts a folder before it; the rule is for the product")]
fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

/// A repository with one commit and nobody's settings.
fn repository(tree: &Path) -> Res<()> {
    std::fs::write(tree.join("notes.txt"), "one\n")?;
    let author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    for words in [&["init", "-q", "-b", "main"][..], &["add", "."], &["commit", "-q", "-m", "Begin"]] {
        let mut git = program("git");
        git.current_dir(tree).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        git.args(author).args(words);
        said(git)?;
    }
    Ok(())
}
