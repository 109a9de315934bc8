//! Twenty agents under one multiplexer and one client: each gets the answers to its own dialogs, once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::desk::{Desk, ask};

const PANES: usize = 20;

/// What an agent asks for: the policy answers the first, a person the second.
fn commands(pane: usize) -> [String; 2] {
    [format!("git log -n {}", pane + 1), format!("curl https://example.org/{pane}")]
}

fn script(pane: usize) -> String {
    commands(pane).iter().map(|command| ask(command)).collect()
}

/// Opens another agent beside the desk's own; its notes.
fn beside(desk: &Desk, pane: usize) -> PathBuf {
    let folder = &desk.pane.folder;
    let (steps, log) = (folder.join(format!("script-{pane}.jsonl")), folder.join(format!("agent-{pane}.jsonl")));
    std::fs::write(&steps, script(pane)).unwrap();
    let cwd = desk.pane.tmux(["display-message", "-p", "-t", &desk.pane.pane, "#{pane_current_path}"]);
    let (program, steps) = (folder.join("claude"), steps.display().to_string());
    let (program, notes) = (program.display().to_string(), log.display().to_string());
    let window = ["new-window", "-d", "-c", cwd.trim()];
    let agent = [&*program, "demo", "agent", "--kind", "claude", "--script", &steps, "--log", &notes];
    desk.pane.tmux(window.into_iter().chain(agent));
    log
}

/// The keys that came, and what was chosen of which command.
fn notes(log: &Path) -> (Vec<String>, Vec<(String, u64)>) {
    let text = std::fs::read_to_string(log).unwrap();
    let notes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let keys = notes.iter().filter_map(|note| note["key"].as_str().map(str::to_owned)).collect();
    let chose = notes.iter().map(|note| &note["chose"]).filter(|chose| chose.is_object());
    (keys, chose.map(|row| (row["command"].as_str().unwrap().to_owned(), row["n"].as_u64().unwrap())).collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_agent_gets_its_own_answers_once() {
    let desk = Desk::unwatched(&script(0)).await;
    let mut logs = vec![desk.pane.folder.join("agent.jsonl")];
    logs.extend((1..PANES).map(|pane| beside(&desk, pane)));
    let desk = desk.watched();

    let mut decided = BTreeSet::new();
    while decided.len() < PANES {
        let fresh = desk
            .until("another dialog that waits", async || {
                desk.inbox().await.into_iter().find(|item| !decided.contains(item["id"].as_str().unwrap()))
            })
            .await;
        // Every other one is refused, so that no answer can pass for another's.
        let even = fresh["command"].as_str().unwrap().ends_with(['0', '2', '4', '6', '8']);
        let outcome = if even { "approved" } else { "rejected" };
        desk.ben.rule(&fresh, &json!({ "outcome": outcome })).await.assert_status(200);
        decided.insert(fresh["id"].as_str().unwrap().to_owned());
    }

    let rows = desk.acted(2 * PANES).await;
    assert!(rows.iter().all(|row| row["outcome"] == "sent"), "{rows:#?}");
    let mut by_pane: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for row in &rows {
        by_pane.entry(row["pane"].as_str().unwrap()).or_default().push(&row["subject"]);
    }
    assert_eq!((rows.len(), by_pane.len()), (2 * PANES, PANES), "{by_pane:?}");
    for (pane, log) in logs.iter().enumerate() {
        let key = if pane % 2 == 0 { "1" } else { "3" };
        let [first, second] = commands(pane);
        let (keys, chosen) = notes(log);
        assert_eq!(keys, ["1", key], "agent {pane}");
        assert_eq!(chosen, [(first.clone(), 1), (second.clone(), key.parse().unwrap())], "agent {pane}");
        assert!(by_pane.values().any(|subjects| *subjects == [&json!(first), &json!(second)]), "agent {pane}");
    }
}
