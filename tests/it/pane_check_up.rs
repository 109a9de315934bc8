//! `countersign doctor --server`: what a pane client needs on its machine, and which leg is broken when it is.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::agent_pane::AgentPane;
use crate::support::app::TestApp;
use crate::support::command::{Said, run_with};
use crate::support::scratch;

/// A pane client's token in a file of its own.
fn token_file(secret: &str, mode: u32) -> PathBuf {
    let file = scratch::folder("token").join("token");
    std::fs::write(&file, format!("{secret}\n")).unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    file
}

/// The check-up, off this runtime's thread, with these settings of tmux.
async fn look(server: &str, token: &Path, tmux: &Path) -> (Said, Vec<Value>) {
    let mut words: Vec<String> = ["doctor", "--json", "--tmux-socket", "agents", "--server"].map(str::to_owned).into();
    words.extend([server.to_owned(), "--token-file".to_owned(), token.display().to_string()]);
    let tmux = tmux.to_owned();
    let said = tokio::task::spawn_blocking(move || {
        let env = [("TMUX_TMPDIR", tmux.as_os_str()), ("LC_ALL", OsStr::new("C.UTF-8"))];
        run_with(words, "", &env)
    });
    let said = said.await.unwrap();
    let found: Value = serde_json::from_str(&said.out).unwrap();
    (said, found["items"].as_array().unwrap().clone())
}

fn levels(found: &[Value]) -> Vec<(&str, &str)> {
    found.iter().map(|check| (check["name"].as_str().unwrap(), check["level"].as_str().unwrap())).collect()
}

fn last(found: &[Value]) -> (&str, &str) {
    *levels(found).last().unwrap()
}

#[tokio::test]
async fn every_leg_is_looked_at() {
    let app = TestApp::peopled().await;
    let token = token_file(&app.pane_secret("scout", &["api"]).await, 0o600);
    let pane = AgentPane::open("{\"idle\":true}", (80, 24));
    let (said, found) = look(&app.url, &token, &pane.folder).await;
    assert_eq!(
        levels(&found),
        [
            ("tmux", "ok"),
            ("panes", "ok"),
            ("locale", "ok"),
            ("token file", "ok"),
            ("name", "ok"),
            ("network", "ok"),
            ("server", "ok"),
            ("clock", "ok"),
            ("token", "ok"),
            ("worktree", "warn"),
        ]
    );
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(found[8]["found"].as_str().unwrap().contains("api"), "{found:?}");
}

#[tokio::test]
async fn the_broken_leg_is_named_and_what_rests_on_it_is_left_out() {
    let app = TestApp::peopled().await;
    let secret = app.pane_secret("scout", &["api"]).await;
    let good = token_file(&secret, 0o600);
    let nowhere = scratch::folder("no-tmux");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();

    let (said, found) = look(&format!("http://{closed}"), &good, &nowhere).await;
    assert_eq!((said.code, last(&found)), (1, ("network", "fail")));
    assert_eq!(levels(&found)[1], ("panes", "warn"), "no tmux server is no fault yet");

    let (_, found) = look("http://nobody.invalid:7440", &good, &nowhere).await;
    assert_eq!(last(&found), ("name", "fail"));

    let (_, found) = look(&app.url.replace("http://", "https://"), &good, &nowhere).await;
    assert_eq!(last(&found), ("encryption", "fail"));

    let (_, found) = look(&app.url, &token_file("csp_not-a-token-of-this-server", 0o600), &nowhere).await;
    assert_eq!(last(&found), ("token", "fail"));

    for (file, says) in [
        (token_file(&secret, 0o644), "mode 644"),
        (token_file("csa_an-agents", 0o600), "no pane client's token"),
        (nowhere.join("missing"), "No such file"),
    ] {
        let (said, found) = look(&app.url, &file, &nowhere).await;
        let check = found.iter().find(|check| check["name"] == "token file").unwrap();
        assert!(check["level"] == "fail" && check["found"].as_str().unwrap().contains(says), "{check}");
        assert_eq!((said.code, last(&found)), (1, ("clock", "ok")), "the rest of the way is still looked at");
    }
}

#[test]
fn half_a_question_is_refused() {
    let said = run_with(["doctor", "--server", "http://127.0.0.1:1"], "", &[]);
    assert!(said.code == 2 && said.err.contains("--token-file"), "{}", said.err);
}
