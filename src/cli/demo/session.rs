//! The tmux session in which the demo's agents play.

use std::path::Path;

use tokio::process::Command;

use super::program::{ask, program};
use super::stage::Stage;
use crate::cli::failure::{Failure, Outcome};
use crate::domain::screen::AgentKind;

/// Columns and rows of the window: two panes, one above the other, each with room for a whole dialog.
const SIZE: [&str; 4] = ["-x", "100", "-y", "47"];

const LABEL: &str = "Countersign demo: simulated agents, nothing here is real";

/// One agent of the demo.
pub(super) struct Player<'a> {
    /// Whose screens it draws.
    pub(super) kind: AgentKind,
    /// What it does.
    pub(super) script: &'a str,
    /// Where it works.
    pub(super) folder: &'a Path,
}

/// The session, and its panes in the order of the players.
pub(super) struct Session {
    /// The socket's name, for `tmux -L`.
    pub(super) socket: String,
    /// The panes.
    pub(super) panes: [String; 2],
}

impl Session {
    /// Starts tmux with both agents.
    pub(super) async fn open(stage: &mut Stage, players: [Player<'_>; 2]) -> Outcome<Self> {
        let socket = format!("countersign-demo-{}", std::process::id());
        let [first, second] = players;
        let mut opened = tmux(&socket);
        opened.args([
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "demo",
            "-P",
            "-F",
            "#{pid} #{pane_id} #{socket_path}",
        ]);
        let said = ask(play(stage, opened.args(SIZE), &first)?).await?;
        let mut words = said.splitn(3, ' ');
        let (Some(Ok(pid)), Some(upper), Some(file)) = (words.next().map(str::parse), words.next(), words.next())
        else {
            return Err(Failure::failed(format!(
                "tmux said `{said}` where its pid, a pane and its socket were expected"
            )));
        };
        stage.adopt(pid, file).await?;
        let mut split = tmux(&socket);
        split.args(["split-window", "-v", "-d", "-t", "demo", "-P", "-F", "#{pane_id}"]);
        let lower = ask(play(stage, &mut split, &second)?).await?;
        let mut dress = tmux(&socket);
        dress.args(["select-layout", "-t", "demo", "even-vertical", ";"]);
        dress.args(["set-option", "-g", "status-right-length", "80", ";"]);
        ask(dress.args(["set-option", "-g", "status-right", LABEL])).await?;
        let panes = [upper.to_owned(), lower];
        Ok(Self { socket, panes })
    }
}

fn tmux(socket: &str) -> Command {
    let mut command = program("tmux");
    command.args(["-u", "-L", socket]).env("LC_ALL", "C.UTF-8");
    command
}

/// The agent under the name of the program that it imitates: that name is what a pane client goes by.
fn play<'c>(stage: &Stage, command: &'c mut Command, player: &Player<'_>) -> Outcome<&'c mut Command> {
    let name = player.kind.as_str();
    let program = stage.path(name);
    std::os::unix::fs::symlink(std::env::current_exe()?, &program)?;
    let script = stage.path(&format!("{name}.jsonl"));
    std::fs::write(&script, player.script)?;
    // Nothing of this terminal's environment or home: what is set there can change what a command does, and then it holds.
    let home = format!("HOME={}", stage.folder().display());
    command.arg("-c").arg(player.folder).args(["/usr/bin/env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin"]);
    command.args(["SHELL=/bin/bash", "LC_ALL=C.UTF-8", "TERM=screen", &home]).arg(program);
    Ok(command.args(["demo", "agent", "--repeat", "--kind", name, "--script"]).arg(script))
}
