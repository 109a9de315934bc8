//! Talks to tmux: lists panes, reads what they show. The only module that starts the program.

mod listing;

use std::process::Stdio;
use std::time::Duration;

use rand::Rng;
use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use self::listing::{Nonce, panes, sights};
pub use self::listing::{Pane, Sight};
use super::send::Hand;
use crate::parent_death;

/// A call that takes longer has met a server that hangs.
const PATIENCE: Duration = Duration::from_secs(2);
/// tmux takes at most 16 KiB of arguments; a pane needs about 110 bytes.
const PANES_A_CALL: usize = 100;

/// Why tmux gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum TmuxError {
    /// No such program.
    #[error("tmux is not installed, or not in PATH: install it, e.g. with `apt-get install tmux`")]
    Missing,
    /// No server at the socket.
    #[error("no tmux server runs at this socket: start a session, or name its socket with --tmux-socket")]
    NoServer,
    /// The pane is gone.
    #[error("the pane no longer exists: name one that `tmux list-panes -a` shows")]
    NoPane,
    /// No answer in time.
    #[error("tmux did not answer within two seconds: see whether its server hangs")]
    Timeout,
    /// It refused.
    #[error("tmux refused: {0}")]
    Failed(String),
}

/// One tmux server, by the name of its socket.
#[derive(Clone, Debug)]
pub struct Tmux {
    socket: Option<String>,
}

impl Tmux {
    /// The server behind `-L NAME`, else the one that the environment names.
    pub const fn new(socket_name: Option<String>) -> Self {
        Self { socket: socket_name }
    }

    /// Every pane of the server.
    pub async fn panes(&self) -> Result<Vec<Pane>, TmuxError> {
        let nonce = nonce();
        let said = self.run(&["list-panes", "-a", "-F", &nonce.format()], None).await?;
        Ok(panes(&said, &nonce))
    }

    /// What these panes show now, with their state at the same moment: one call for up to a hundred. A pane that has
    /// gone is left out.
    pub async fn look(&self, ids: &[&str]) -> Result<Vec<Sight>, TmuxError> {
        let mut seen = Vec::with_capacity(ids.len());
        for some in ids.chunks(PANES_A_CALL) {
            let nonce = nonce();
            let mut args: Vec<String> = ["list-panes", "-a", "-F", &nonce.format()].map(str::to_owned).into();
            for id in some.iter().filter(|id| is_pane_id(id)) {
                // A command that fails ends the whole call, so each capture stands behind the question whether its pane
                // is there; `if-shell` without its target would answer for another pane.
                let there = format!("#{{==:#{{pane_id}},{id}}}");
                let read = format!("display-message -p {} ; capture-pane -p -e -t {id}", nonce.of_screen(id));
                args.extend([";", "if-shell", "-F", "-t", id, &there, &read].map(str::to_owned));
            }
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            seen.extend(sights(&self.run(&args, None).await?, &nonce));
        }
        Ok(seen)
    }

    /// What `tmux -V` says, e.g. `tmux 3.4`. It needs no server.
    pub async fn version(&self) -> Result<String, TmuxError> {
        Ok(String::from_utf8_lossy(&self.run(&["-V"], None).await?).trim().to_owned())
    }

    /// Whether the session ends as soon as nobody is attached: then nothing of ours may attach either.
    pub(super) async fn ends_unattended(&self, session: &str) -> Result<bool, TmuxError> {
        let target = format!("={session}:");
        let said = self.run(&["show-options", "-A", "-v", "-t", &target, "destroy-unattached"], None).await?;
        Ok(String::from_utf8_lossy(&said).trim() != "off")
    }

    /// A client in control mode that only listens: it neither types nor changes a size nor touches the session's
    /// environment. Its standard input must stay open. It must not outlive this process: tmux (3.3a, measured) holds the
    /// panes of a session, and so the agents in them, for a client that can never finish writing.
    pub(super) fn listen(&self, session: &str) -> Result<Child, TmuxError> {
        let target = format!("={session}:");
        let args = ["-C", "attach-session", "-E", "-f", "read-only,ignore-size", "-t", &target];
        let mut command = self.command(&args);
        command.stdin(Stdio::piped()).stderr(Stdio::null());
        parent_death::signal_with_parent(command.as_std_mut(), Signal::KILL);
        command.spawn().map_err(|error| unstarted(&error))
    }

    /// Runs a command that may type; only `send` has a hand.
    pub(super) async fn act(&self, _hand: &Hand, args: &[&str], stdin: Option<&[u8]>) -> Result<String, TmuxError> {
        Ok(String::from_utf8_lossy(&self.run(args, stdin).await?).into_owned())
    }

    async fn run(&self, args: &[&str], stdin: Option<&[u8]>) -> Result<Vec<u8>, TmuxError> {
        let mut command = self.command(args);
        command.stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() }).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| unstarted(&error))?;
        let whole = async {
            if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), stdin) {
                // What tmux does not read it did not want; its exit says why.
                let _ = pipe.write_all(bytes).await;
            }
            child.wait_with_output().await
        };
        let output = tokio::time::timeout(PATIENCE, whole).await.map_err(|_| TmuxError::Timeout)?;
        let output = output.map_err(|error| TmuxError::Failed(error.to_string()))?;
        if output.status.success() { Ok(output.stdout) } else { Err(refusal(&output.stderr)) }
    }

    /// `-u`: whatever the locale of this process is, the screens are UTF-8.
    #[expect(clippy::disallowed_methods, reason = "this module is where tmux is started")]
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-u");
        if let Some(socket) = &self.socket {
            command.args(["-L", socket]);
        }
        command.args(args).stdout(Stdio::piped()).kill_on_drop(true);
        command
    }
}

/// Whether this is a bare `%N`; anything else could name another pane, or several.
pub(super) fn is_pane_id(id: &str) -> bool {
    id.strip_prefix('%').is_some_and(|n| !n.is_empty() && n.len() < 10 && n.bytes().all(|c| c.is_ascii_digit()))
}

/// Marks the parts of an answer: no screen, path or session can contain what was made up after it.
fn nonce() -> Nonce {
    let (mut field, mut screen) = ([0; 16], [0; 16]);
    rand::rng().fill_bytes(&mut field);
    rand::rng().fill_bytes(&mut screen);
    Nonce::new(field, screen)
}

fn unstarted(error: &std::io::Error) -> TmuxError {
    match error.kind() {
        std::io::ErrorKind::NotFound => TmuxError::Missing,
        _ => TmuxError::Failed(format!("it could not be started: {error}")),
    }
}

fn refusal(stderr: &[u8]) -> TmuxError {
    let said = String::from_utf8_lossy(stderr).trim().to_owned();
    let is = |phrases: &[&str]| phrases.iter().any(|phrase| said.contains(phrase));
    if is(&["Permission denied"]) {
        TmuxError::Failed(said)
    } else if is(&["no server running", "error connecting to", "server exited", "lost server"]) {
        TmuxError::NoServer
    } else if is(&["can't find pane", "can't find session", "can't find window"]) {
        TmuxError::NoPane
    } else {
        TmuxError::Failed(if said.is_empty() { "it said nothing".to_owned() } else { said })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_id_names_a_pane() {
        for (id, good) in
            [("%0", true), ("%123", true), ("%", false), ("3", false), ("%1;x", false), ("=s", false), ("%-1", false)]
        {
            assert_eq!(is_pane_id(id), good, "{id}");
        }
    }

    #[test]
    fn refusals_are_told_apart() {
        let of = |said: &str| refusal(said.as_bytes());
        assert!(matches!(of("no server running on /run/t/default\n"), TmuxError::NoServer));
        assert!(matches!(of("error connecting to /run/t/x (No such file or directory)"), TmuxError::NoServer));
        assert!(matches!(of("can't find pane: %9"), TmuxError::NoPane));
        assert!(matches!(of("unknown command: x"), TmuxError::Failed(said) if said == "unknown command: x"));
        assert!(matches!(of(""), TmuxError::Failed(_)));
    }
}
