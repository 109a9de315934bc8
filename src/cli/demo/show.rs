//! The demo from its first line to its end: what is started in which order, what is said, what ends it.

use std::path::Path;
use std::process::Stdio;

use rand::seq::IndexedRandom;
use rustix::fs::{FileType, fstat};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Child;
use tokio::signal::unix::{SignalKind, signal};

use super::people::{ADMIN, Door, LANES};
use super::program::{ask, ourselves, program};
use super::repository;
use super::requests::Net;
use super::session::{Player, Session};
use super::stage::Stage;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::config::PublicUrl;
use crate::domain::screen::AgentKind;
use crate::pane::remote::Remote;

const API: &str = include_str!("api.jsonl");
const WEB: &str = include_str!("web.jsonl");

/// Runs until somebody ends it; whatever happens, nothing is left behind.
pub(super) async fn run() -> Outcome {
    let mut ends = Ends::new()?;
    for needed in ["tmux", "git"] {
        let flag = if needed == "tmux" { "-V" } else { "--version" };
        ask(program(needed).arg(flag)).await?;
    }
    let mut stage = Stage::open()?;
    let shown = tokio::select! {
        shown = perform(&mut stage) => shown,
        () = ends.next() => Ok(()),
    };
    out::line("Stopping the demo and removing what it made.");
    let closed = stage.close().await;
    shown.and(closed)
}

async fn perform(stage: &mut Stage) -> Outcome {
    out::line("Countersign demo: a server of its own, with a Postgres of its own. Nothing here is real. Starting …");
    let (main, second) = repository::make(stage.folder()).await?;
    let data = stage.path("data");
    let url = serve(stage, &data).await?;
    let password = password();
    let door = Door::open(data, &password).await?;
    let tokens = door.furnish([&main, &second]).await?;
    door.supervise().await?;
    let remote = Remote::new(url.parse::<PublicUrl>().map_err(Failure::failed)?, None)?;
    let waiting = Net::new(remote).fill(&tokens.agents, &password).await?;
    let players = [
        Player { kind: AgentKind::Claude, script: API, folder: &main },
        Player { kind: AgentKind::Codex, script: WEB, folder: &second },
    ];
    let session = Session::open(stage, players).await?;
    let token = stage.keep("pane-token", &tokens.pane_client)?;
    watch_panes(stage, &Watched { url: &url, token: &token, session: &session }).await?;
    out::line(welcome(&url, &password, &session, waiting));
    Err(stage.one_ended().await)
}

/// Starts the server and waits for the line with its address.
async fn serve(stage: &mut Stage, data: &Path) -> Outcome<String> {
    let mut command = ourselves()?;
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data).stdout(Stdio::piped());
    let mut child = stage.start("server", &mut command).await?;
    let stdout = child.stdout.take().ok_or_else(|| Failure::failed("the server has no output"))?;
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(url) = line.strip_prefix("ready ") {
            let url = url.to_owned();
            // Reads on: a full pipe would stop the server.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            stage.watch("server", child);
            return Ok(url);
        }
    }
    Err(early(stage, child).await)
}

/// A server that ended before it was ready; its exit code says whether something has to be installed.
async fn early(stage: &Stage, mut child: Child) -> Failure {
    let status = child.wait().await.ok();
    let code = status.and_then(|status| u8::try_from(status.code()?).ok()).unwrap_or(1);
    Failure { code: code.max(1), ..stage.ended("server") }
}

/// What the pane client is told.
struct Watched<'a> {
    url: &'a str,
    token: &'a Path,
    session: &'a Session,
}

async fn watch_panes(stage: &mut Stage, watched: &Watched<'_>) -> Outcome {
    let mut command = ourselves()?;
    command.args(["pane", "--server", watched.url, "--tmux-socket", &watched.session.socket, "--token-file"]);
    command.arg(watched.token).stdout(Stdio::null());
    for (lane, pane) in LANES.into_iter().zip(&watched.session.panes) {
        command.arg("--lane").arg(format!("{lane}={pane}"));
    }
    command.arg("--state-dir").arg(stage.path("state"));
    let child = stage.start("pane client", &mut command).await?;
    stage.watch("pane client", child);
    Ok(())
}

fn welcome(url: &str, password: &str, session: &Session, waiting: usize) -> String {
    let socket = &session.socket;
    format!(
        "
  Open       {url}
  Sign in    {ADMIN}   password  {password}
  Look on    tmux -L {socket} attach -r      (leave with Ctrl-B d, inside another tmux with Ctrl-B twice and d)

{waiting} proposals wait in the inbox. In tmux, the upper agent works in lane api: its routine dialogs are answered by the
policy, without anybody. The lower one, in lane web, asks for risky things: they wait on the page until you decide, and
then one key is pressed for you. Everything is in the lanes' pages and in the audit.

Ctrl-C stops everything and removes it."
    )
}

/// Readable, and 20 letters of a small alphabet are more than anybody guesses in a demo's life.
fn password() -> String {
    let mut random = rand::rng();
    let mut syllable = || {
        let consonant = b"bdfgklmnprstvz".choose(&mut random).copied().unwrap_or(b'b');
        let vowel = b"aeiou".choose(&mut random).copied().unwrap_or(b'a');
        [char::from(consonant), char::from(vowel)].into_iter().collect::<String>()
    };
    (0..5).map(|_| format!("{}{}", syllable(), syllable())).collect::<Vec<_>>().join("-")
}

/// What ends the demo: a signal, or the end of a pipe that it was started with.
struct Ends {
    signals: [tokio::signal::unix::Signal; 3],
}

impl Ends {
    fn new() -> Outcome<Self> {
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let [interrupt, terminate, hangup] = kinds.map(signal);
        Ok(Self { signals: [interrupt?, terminate?, hangup?] })
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            () = pipe_closed() => {}
        }
    }
}

/// A terminal says by a signal that it goes; `/dev/null` never was there.
async fn pipe_closed() {
    let stdin = fstat(std::io::stdin()).map(|stat| FileType::from_raw_mode(stat.st_mode));
    if !matches!(stdin, Ok(FileType::Fifo | FileType::Socket)) {
        return std::future::pending().await;
    }
    let Ok(mut pipe) = tokio::net::unix::pipe::OpenOptions::new().open_receiver("/dev/stdin") else {
        return std::future::pending().await;
    };
    let mut bytes = [0; 256];
    while pipe.read(&mut bytes).await.is_ok_and(|n| n > 0) {}
}
