//! The command line of the client: what it says of itself, what it sees, and its refusals.

use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};

use super::desk::{Desk, OUTSIDE, ask, state};
use crate::support::scratch;
use crate::support::server::countersign;

fn said(output: &Output) -> (Option<i32>, String) {
    let text = [output.stdout.as_slice(), &output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[tokio::test]
async fn it_says_of_itself_what_it_watches() {
    let mut desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    let folder = state(&desk.pane.folder);
    let status = |more: &[&str]| {
        let mut command = countersign(&["pane", "--status", "--state-dir"]);
        said(&command.arg(&folder).args(more).output().unwrap())
    };
    let id = held["id"].as_str().unwrap().to_owned();
    let text = desk
        .until("the dialog in the account", async || {
            let (_, text) = status(&[]);
            text.contains(&id).then_some(text)
        })
        .await;
    for word in [desk.app.url.as_str(), "connected", "agents.0", "desk", "claude", "blocked", "hold"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let (_, json) = status(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json[0]["running"], &json[0]["account"]["panes"]["agents.0"]["status"]),
        (&true.into(), &"blocked".into())
    );
    desk.watch.kill();
    assert!(status(&[]).1.contains("not running"), "{}", status(&[]).1);
    let empty = scratch::folder("no-state");
    let (code, text) = said(&countersign(&["pane", "--status", "--state-dir"]).arg(empty).output().unwrap());
    assert_eq!((code, text.contains("no pane client has run")), (Some(1), true), "{text}");
}

#[tokio::test]
async fn it_shows_what_it_sees_and_never_types() {
    let desk = Desk::unwatched(&ask(OUTSIDE)).await;
    let mut command = countersign(&["pane", "--watch", "--tmux-socket", &desk.pane.socket]);
    command.env("TMUX_TMPDIR", &desk.pane.folder).env_remove("TMUX").stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    scratch::stop_at_exit("TERM", child.id());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut seen = String::new();
    while !seen.contains("3. No, and tell Claude") {
        seen = seen + &lines.next().unwrap() + "\n";
    }
    child.kill().unwrap();
    child.wait().unwrap();
    scratch::gone(child.id());
    for word in ["%0 claude: blocked", OUTSIDE, "1. Yes  ← says yes to this", "(standing: never pressed)"] {
        assert!(seen.contains(word), "{word}: {seen}");
    }
    assert!(desk.pane.keys().is_empty() && desk.inbox().await.is_empty());
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let desk = Desk::unwatched(&ask(OUTSIDE)).await;
    let url = desk.app.url.as_str();
    let folder = scratch::folder("wrong");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (agents, unknown, missing) = (file("agent", "csa_abc"), file("unknown", "csp_abc"), folder.join("none"));
    let missing = missing.to_str().unwrap();
    // The service answers from this thread, so the program is waited for on another.
    let run = async |arguments: &[&str]| {
        let mut command = countersign(&["pane", "--state-dir"]);
        command.arg(folder.join("state")).args(arguments);
        tokio::task::spawn_blocking(move || said(&command.output().unwrap())).await.unwrap()
    };
    for (arguments, code, words) in [
        (vec!["--server", url, "--discover"], 2, "--token-file"),
        (vec!["--server", url, "--token-file", &unknown], 2, "--lane"),
        (vec!["--server", url, "--token-file", &unknown, "--lane", "api"], 2, "has no `=`"),
        (vec!["--server", url, "--token-file", missing, "--discover"], 1, "cannot read"),
        (vec!["--server", url, "--token-file", &agents, "--discover"], 2, "no pane client's token"),
        (vec!["--server", url, "--token-file", &unknown, "--discover"], 1, "does not accept this token"),
    ] {
        let (ended, text) = run(&arguments).await;
        assert_eq!((ended, text.contains(words)), (Some(code), true), "{arguments:?}: {text}");
    }
}
