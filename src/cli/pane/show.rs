//! `countersign pane --status`: what the clients on this machine say of themselves.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::TimeDelta;
use serde_json::json;

use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::cli::table;
use crate::clock::Clock;
use crate::pane::status::{self, Account};

/// How long a client that has ended is still listed.
const LATELY: TimeDelta = TimeDelta::days(1);

/// Prints the account of every client that keeps its files there.
pub(super) fn status(dir: &Path, as_json: bool) -> Outcome {
    let accounts = accounts(dir);
    if as_json {
        let all: Vec<_> = accounts.iter().map(|(account, runs)| json!({"running": runs, "account": account})).collect();
        out::line(serde_json::to_string_pretty(&all)?);
        return Ok(());
    }
    if accounts.is_empty() {
        return Err(Failure::failed(format!(
            "no pane client has run with its state in {}; start one: countersign pane --help",
            dir.display()
        )));
    }
    for (account, runs) in &accounts {
        out::line(words(account, *runs));
    }
    Ok(())
}

/// The accounts that say something: of every client that runs, and of those that ended lately. What a client that ended
/// last saw of its panes is not how they stand.
fn accounts(dir: &Path) -> Vec<(Account, bool)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let ours = files.iter().filter(|path| path.extension().is_some_and(|end| end == "status"));
    let read = ours.filter_map(|path| Some((status::read(path).ok()?, status::is_running(path))));
    let now = Clock::default().now();
    read.filter(|(account, runs)| *runs || now - account.written_at < LATELY)
        .map(
            |(account, runs)| {
                if runs { (account, runs) } else { (Account { panes: BTreeMap::new(), ..account }, runs) }
            },
        )
        .collect()
}

fn words(account: &Account, runs: bool) -> String {
    let mut lines = vec![format!("{}  (countersign {}, process {})", account.server, account.version, account.pid)];
    if !runs {
        lines.push(format!("  not running; this is of {}", time(account.written_at)));
    } else if let Some(away) = &account.away {
        lines.push(format!(
            "  the server is away since {}: {}\n  nothing is typed until it is back",
            time(away.since),
            away.why
        ));
    } else {
        lines.push("  connected".to_owned());
    }
    if let Some(why) = &account.blind {
        lines.push(format!("  sees no pane: {why}"));
    }
    if !runs {
        return lines.join("\n");
    }
    lines.extend(account.missing.iter().map(|why| format!("  {why}")));
    if account.panes.is_empty() {
        if account.missing.is_empty() {
            lines.push("  watches no pane: none has a known agent in the worktree of a lane of this token".to_owned());
        }
        return lines.join("\n");
    }
    let rows: Vec<Vec<String>> = account
        .panes
        .iter()
        .map(|(key, pane)| {
            vec![
                key.clone(),
                pane.lane.clone(),
                pane.agent.clone(),
                pane.status.clone(),
                time(pane.since),
                time(pane.looked_at),
                pane.dialog.clone().or_else(|| pane.refused.clone()).unwrap_or_default(),
                pane.last_order.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let head = ["pane", "lane", "agent", "status", "since", "looked at", "dialog", "last order"];
    lines.push(table::table(&head, &rows, ""));
    lines.join("\n")
}

fn time(at: chrono::DateTime<chrono::Utc>) -> String {
    at.format("%Y-%m-%d %H:%M:%S").to_string()
}
