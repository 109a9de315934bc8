//! `countersign pane --watch`: what the client sees, live. It never types, and tells nobody.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::clock::Clock;
use crate::domain::screen::{self, AgentKind, Found, Offer, Reading};
use crate::pane::discover::Assigned;
use crate::pane::process;
use crate::pane::tmux::{Pane, Tmux, TmuxError};

/// How often it looks.
const EVERY: Duration = Duration::from_millis(500);

/// Prints a pane whenever it says something else than before, until it is interrupted.
pub(super) async fn watch(tmux: &Tmux, named: &[Assigned]) -> Outcome {
    let clock = Clock::default();
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting = false;
    loop {
        let panes = match tmux.panes().await {
            Ok(panes) => panes,
            Err(error @ TmuxError::Missing) => return Err(Failure { code: 3, text: error.to_string() }),
            Err(error) => return Err(Failure::failed(error.to_string())),
        };
        let watched: Vec<(String, AgentKind)> = panes.iter().filter_map(|pane| agent(pane, named)).collect();
        if watched.is_empty() && !waiting {
            eprintln!("countersign: no pane with a known agent yet; name one with --lane LANE=%N:KIND");
            waiting = true;
        }
        let ids: Vec<&str> = watched.iter().map(|(id, _)| id.as_str()).collect();
        let sights = if ids.is_empty() { Vec::new() } else { tmux.look(&ids).await.unwrap_or_default() };
        for sight in sights {
            let Some((id, agent)) = watched.iter().find(|(id, _)| *id == sight.pane.identity.id) else { continue };
            let said = words(*agent, &screen::read(*agent, &sight.screen()));
            if last.insert(id.clone(), said.clone()).as_ref() != Some(&said) {
                out::line(format!("{} {id} {}: {said}", clock.now().format("%H:%M:%S"), agent.as_str()));
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

fn agent(pane: &Pane, named: &[Assigned]) -> Option<(String, AgentKind)> {
    let kind = || process::foreground(&pane.tty, pane.identity.pid).as_ref().and_then(process::agent_kind);
    let id = &pane.identity.id;
    let agent = match named.iter().find(|named| named.pane == *id) {
        Some(named) => named.agent.or_else(kind)?,
        None if named.is_empty() => kind()?,
        None => return None,
    };
    Some((id.clone(), agent))
}

fn words(agent: AgentKind, reading: &Reading) -> String {
    let mut head = reading.status.as_str().to_owned();
    if reading.safe_to_type {
        head.push_str(", a text may be typed");
    }
    if reading.limit.is_some() {
        head.push_str(", a usage limit stops it");
    }
    let mut lines = vec![head];
    if let Some(drift) = &reading.drift {
        let (version, name) = (agent.rules_version(), agent.as_str());
        lines.push(format!("  something like a menu that no rule knows (rules {version} of {name}):"));
        lines.extend(drift.lines().map(|line| format!("  {line}")));
    }
    if let Some(dialog) = &reading.dialog {
        lines.push(format!("  {}", dialog.kind.as_str()));
        lines.extend(said(dialog));
    }
    lines.join("\n")
}

fn said(dialog: &Found) -> Vec<String> {
    let texts = [dialog.title.as_ref(), dialog.command.as_ref(), dialog.body.as_ref(), Some(&dialog.question)];
    let texts = texts.into_iter().flatten().flat_map(|text| text.lines()).map(|line| format!("  {line}"));
    let mark = |option: &Offer| match option {
        option if Some(option.n) == dialog.approve_option => "  ← says yes to this",
        option if Some(option.n) == dialog.deny_option => "  ← says no to this",
        option if option.standing => "  (standing: never pressed)",
        _ => "",
    };
    let options = dialog.options.iter().map(|option| format!("    {}. {}{}", option.n, option.text, mark(option)));
    let cut = dialog.truncated.then(|| "  part of it is not on the screen".to_owned());
    texts.chain(options).chain(cut).collect()
}
