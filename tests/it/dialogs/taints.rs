//! What an approval leaves behind: a file that runners execute, a shell that was changed.

use serde_json::{Value, json};

use super::supervised;
use crate::support::client::Client;
use crate::support::panes::{dialog, facts};
use crate::support::proposals::with;

/// An edit of a file in the worktree.
fn edit(file: &str) -> Value {
    let mut found = facts();
    let real = format!("/srv/shop-api/{file}");
    found["paths"] = json!({ file: { "real": real, "kind": "file", "inside": true } });
    let change = json!({ "title": "Edit file", "question": format!("Do you want to make this edit to {file}?"),
        "command": null, "body": file, "facts": found, "pane": "editor" });
    with(dialog("-"), &change)
}

async fn judged(watcher: &Client, report: &Value) -> (Value, Value, Value) {
    let answer = watcher.report(report).await;
    (answer["verdict"].clone(), answer["policy_source"].clone(), answer)
}

#[tokio::test]
async fn an_approved_write_to_a_runners_file_holds_the_next_run_until_somebody_looks() {
    let app = supervised().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let run = || dialog("cargo test");
    let (before, _, first) = judged(&watcher, &run()).await;
    assert_eq!(before, "auto_approve", "{first}");
    let written = watcher.report(&edit("build.rs")).await;
    if written["status"] == "pending" {
        ben.rule(&written, &json!({ "outcome": "approved", "note": "Build script." })).await.assert_status(200);
    }
    // The order from before is judged again, and a fresh one is too.
    let orders = watcher.orders().await;
    assert!(orders.iter().all(|order| order["dialog_id"] != first["id"]), "{orders:?}");
    let (verdict, source, held) = judged(&watcher, &run()).await;
    assert_eq!((&verdict, &source), (&json!("hold"), &json!("runner_taint")), "{held}");
    let (other, _, _) = judged(&watcher, &with(dialog("git status"), &json!({ "pane": "git" }))).await;
    assert_eq!(other, "auto_approve", "what runs nothing goes on");
    ben.rule(&held, &json!({ "outcome": "approved", "note": "Read the script." })).await.assert_status(200);
    let (verdict, _, after) = judged(&watcher, &run()).await;
    assert_eq!(verdict, "auto_approve", "{after}");
}

#[tokio::test]
async fn a_changed_shell_holds_its_pane_until_there_is_another_one() {
    let app = supervised().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let of_shell = |pid: u32| {
        let mut found = facts();
        found["pane"]["pid"] = json!(pid);
        with(dialog("git status"), &json!({ "facts": found }))
    };
    let (verdict, _, _) = judged(&watcher, &of_shell(100)).await;
    assert_eq!(verdict, "auto_approve");
    let export = watcher.report(&dialog("export PATH=/tmp/bin:$PATH")).await;
    assert_eq!(export["verdict"], "hold");
    ben.rule(&export, &json!({ "outcome": "approved", "note": "Needed.", "option": 1 })).await.assert_status(200);
    let (verdict, source, held) = judged(&watcher, &of_shell(100)).await;
    assert_eq!((&verdict, &source), (&json!("hold"), &json!("runner_taint")), "{held}");
    let (elsewhere, _, _) = judged(&watcher, &with(of_shell(100), &json!({ "pane": "other" }))).await;
    assert_eq!(elsewhere, "auto_approve", "another pane has its own shell");
    let (verdict, _, fresh) = judged(&watcher, &of_shell(101)).await;
    assert_eq!(verdict, "auto_approve", "{fresh}");
    let (verdict, _, _) = judged(&watcher, &of_shell(101)).await;
    assert_eq!(verdict, "auto_approve", "the taint is gone");
}

#[tokio::test]
async fn a_shell_that_was_not_named_is_the_first_one_that_is() {
    let app = supervised().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let unnamed = with(dialog("export PATH=/tmp/bin:$PATH"), &json!({ "facts": null }));
    let export = watcher.report(&unnamed).await;
    ben.rule(&export, &json!({ "outcome": "approved", "note": "Needed.", "option": 1 })).await.assert_status(200);
    let of_shell = |pid: u32| {
        let mut found = facts();
        found["pane"]["pid"] = json!(pid);
        with(dialog("git status"), &json!({ "facts": found }))
    };
    for _ in 0..2 {
        let (verdict, source, held) = judged(&watcher, &of_shell(100)).await;
        assert_eq!((&verdict, &source), (&json!("hold"), &json!("runner_taint")), "{held}");
    }
    let (verdict, _, _) = judged(&watcher, &of_shell(101)).await;
    assert_eq!(verdict, "auto_approve");
}
