//! The listener that wakes the poll: it says which pane printed, and leaves no trace on what it listens to.

use std::collections::BTreeSet;
use std::process::Stdio;

use countersign::domain::screen::AgentKind;
use countersign::pane::wake::Wake;
use tokio::sync::mpsc;

use super::stage::{Script, Stage, until};

fn clients(stage: &Stage) -> usize {
    stage
        .tmux(&["list-clients", "-F", "#{client_flags}"])
        .lines()
        .filter(|flags| flags.contains("control-mode"))
        .count()
}

async fn asleep() -> Stage {
    Script::new(AgentKind::Claude, (90, 20), "first").play().await
}

#[tokio::test]
async fn a_pane_that_prints_or_scrolls_wakes_the_poll() {
    let stage = asleep().await;
    let (woken, mut wakes) = mpsc::channel(16);
    let wake = Wake::new(stage.tmux.clone(), woken);
    wake.follow(BTreeSet::from(["main".to_owned()]));
    until(async || clients(&stage) == 1).await;
    stage.paint("second").await;
    assert_eq!(wakes.recv().await.as_deref(), Some("%0"));
    stage.tmux(&["copy-mode", "-t", "%0"]);
    assert_eq!(wakes.recv().await.as_deref(), Some("%0"));
    let size = stage.pane().await.identity;
    assert_eq!((size.cols, size.rows), (90, 20));
    wake.follow(BTreeSet::new());
    until(async || clients(&stage) == 0).await;
}

#[tokio::test]
async fn a_session_that_ends_and_comes_back_is_listened_to_again() {
    let stage = asleep().await;
    stage.tmux(&["new-session", "-d", "-s", "second", "cat"]);
    let (woken, mut wakes) = mpsc::channel(16);
    let wake = Wake::new(stage.tmux.clone(), woken);
    wake.follow(BTreeSet::from(["second".to_owned()]));
    until(async || clients(&stage) == 1).await;
    stage.tmux(&["kill-session", "-t", "second"]);
    until(async || clients(&stage) == 0).await;
    stage.tmux(&["new-session", "-d", "-s", "second", "cat"]);
    until(async || clients(&stage) == 1).await;
    let pane = stage.tmux(&["list-panes", "-t", "second", "-F", "#{pane_id}"]);
    while wakes.try_recv().is_ok() {}
    stage.tmux(&["send-keys", "-t", &pane, "-l", "x"]);
    assert_eq!(wakes.recv().await, Some(pane));
}

#[tokio::test]
async fn a_session_that_ends_when_nobody_is_attached_is_only_polled() {
    let stage = asleep().await;
    stage.tmux(&["new-session", "-d", "-s", "brief", "cat"]);
    let mut person = stage
        .program(&["-C", "attach-session", "-t", "brief"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until(async || clients(&stage) == 1).await;
    stage.tmux(&["set-option", "-t", "brief", "destroy-unattached", "on"]);
    let (woken, _wakes) = mpsc::channel(16);
    let wake = Wake::new(stage.tmux.clone(), woken);
    wake.follow(BTreeSet::from(["brief".to_owned(), "main".to_owned()]));
    until(async || clients(&stage) == 2).await;
    let of_brief = || stage.tmux(&["list-clients", "-t", "brief", "-F", "#{client_pid}"]).lines().count();
    assert_eq!(of_brief(), 1);
    stage.tmux(&["set-option", "-t", "brief", "destroy-unattached", "off"]);
    until(async || of_brief() == 2).await;
    drop(wake);
    until(async || clients(&stage) == 1).await;
    person.kill().unwrap();
    person.wait().unwrap();
}

#[tokio::test]
async fn a_listener_does_not_outlive_what_it_wakes() {
    let stage = asleep().await;
    let tmux = stage.tmux.clone();
    let (listens, heard) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (woken, mut wakes) = mpsc::channel(16);
            let wake = Wake::new(tmux, woken);
            wake.follow(BTreeSet::from(["main".to_owned()]));
            listens.send(wakes.recv().await.unwrap()).unwrap();
            std::mem::forget(wake);
        });
        // As after a kill -9: nothing is dropped, so nothing is stopped in an orderly way.
        std::mem::forget(runtime);
    });
    until(async || clients(&stage) == 1).await;
    stage.paint("second").await;
    assert_eq!(heard.recv().unwrap(), "%0");
    thread.join().unwrap();
    until(async || clients(&stage) == 0).await;
    stage.paint("third").await;
}
