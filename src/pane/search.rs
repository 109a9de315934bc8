//! Searching: which panes there are to watch, which lane each is of, and whether its agent still runs in front.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use tracing::info;

use super::client::{Selection, Shared, Watched};
use super::discover::{self, Assigned, Lane};
use super::process::{self, Running};
use super::tmux::{Pane, TmuxError};
use crate::domain::screen::AgentKind;
use crate::domain::shell::is_known_shell;

/// Finds the panes to watch, and lets go of those that are gone.
pub(super) async fn search(shared: &Arc<Shared>, lanes: &[Lane]) {
    let panes = match shared.tmux.panes().await {
        Ok(panes) => panes,
        Err(error) => {
            blind(shared, &error);
            return;
        }
    };
    shared.book.sees();
    let mut found: Vec<(Pane, Lane, AgentKind)> = Vec::new();
    match &shared.selection {
        Selection::Assigned(list) => {
            let mut missing = Vec::new();
            for named in list {
                match assigned(&panes, lanes, named) {
                    Ok(one) => found.push(one),
                    Err(why) => missing.push(why),
                }
            }
            shared.book.missing(missing);
        }
        Selection::Discover => found.extend(panes.into_iter().filter_map(|pane| discovered(pane, lanes))),
    }
    // The same shell may stand in another lane by now, or have another agent in front.
    let is_as_it_was = |watched: &Watched, (pane, lane, agent): &(Pane, Lane, AgentKind)| {
        is_same_run(pane, &watched.pane) && (lane, *agent) == (&watched.lane, watched.agent)
    };
    forget(shared, |watched| !found.iter().any(|found| is_as_it_was(watched, found)));
    for (pane, lane, agent) in found {
        let key = shared.key(&pane.identity.id);
        if let Entry::Vacant(place) = shared.panes().entry(key) {
            info!(pane = place.key(), lane = lane.name, agent = agent.as_str(), "a pane is watched");
            place.insert(Watched::new(lane, agent, pane));
        }
    }
}

/// The pane that the command line names, or why it is not watched: silence there looks like an agent that never asks.
fn assigned(panes: &[Pane], lanes: &[Lane], named: &Assigned) -> Result<(Pane, Lane, AgentKind), String> {
    let Some(lane) = lanes.iter().find(|lane| lane.name == named.lane) else {
        let has = lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>().join(", ");
        let has = if has.is_empty() { "none" } else { &has };
        return Err(format!(
            "--lane {}={}: this token is for no lane {}; it has {has}",
            named.lane, named.pane, named.lane
        ));
    };
    let Some(pane) = panes.iter().find(|pane| pane.identity.id == named.pane && !pane.dead) else {
        return Err(format!("--lane {}={}: tmux has no live pane {}", named.lane, named.pane, named.pane));
    };
    let Some(agent) = named.agent.or_else(|| kind(pane)) else {
        let command = &pane.identity.command;
        return Err(format!(
            "--lane {}={}: `{command}` in that pane is no agent that is known; when it is one, name it: {}={}:claude",
            named.lane, named.pane, named.lane, named.pane
        ));
    };
    Ok((pane.clone(), lane.clone(), agent))
}

fn discovered(pane: Pane, lanes: &[Lane]) -> Option<(Pane, Lane, AgentKind)> {
    let agent = kind(&pane)?;
    let lane = discover::lane_of(lanes, &pane.cwd)?.clone();
    (!pane.dead).then_some((pane, lane, agent))
}

fn running(pane: &Pane) -> Option<Running> {
    process::foreground(&pane.tty, pane.identity.pid)
}

fn kind(pane: &Pane) -> Option<AgentKind> {
    running(pane).as_ref().and_then(process::agent_kind)
}

/// The same pane of the same multiplexer with the same first process; what runs in the foreground may have changed.
pub(super) fn is_same_run(one: &Pane, other: &Pane) -> bool {
    let (one, other) = (&one.identity, &other.identity);
    (&one.server, &one.id, one.pid) == (&other.server, &other.id, other.pid)
}

pub(super) fn forget(shared: &Shared, is_gone: impl Fn(&Watched) -> bool) {
    let mut panes = shared.panes();
    let gone: Vec<String> = panes.iter().filter(|(_, watched)| is_gone(watched)).map(|(key, _)| key.clone()).collect();
    for key in gone {
        if let Some(mut watched) = panes.remove(&key) {
            info!(pane = key, "a pane is no longer watched");
            if let (Some((_, how)), Some(instance)) = (watched.tracker.lose(), watched.instance.take()) {
                instance.end(how);
            }
            shared.book.left(&key);
        }
    }
    drop(panes);
    shared.stirred.notify_one();
}

/// tmux cannot be read: when it is because it ended, so did what was watched.
pub(super) fn blind(shared: &Shared, error: &TmuxError) {
    shared.book.blind(&error.to_string());
    if matches!(error, TmuxError::NoServer) {
        forget(shared, |_| true);
    }
}

/// Whether the agent is what runs in front: its shell's prompt, an editor or a pager could show anything.
pub(super) fn is_agent(agent: AgentKind, pane: &Pane) -> bool {
    let Some(running) = running(pane) else { return false };
    match process::agent_kind(&running) {
        Some(kind) => kind == agent,
        // A wrapper that is not known was named on the command line; a bare shell is none.
        None => !is_shell(&running),
    }
}

/// Whether this is a shell's prompt: nobody asks anything there.
fn is_shell(running: &Running) -> bool {
    const OTHERS: &[&str] = &["fish", "ksh", "mksh", "tcsh", "csh", "nu", "xonsh", "elvish", "pwsh", "busybox", "ash"];
    let name = running.command.trim_start_matches('-');
    is_known_shell(name) || OTHERS.contains(&name)
}
