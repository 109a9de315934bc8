//! Reading many panes in one call, whatever they show.

use countersign::domain::screen::AgentKind;
use countersign::pane::tmux::{Tmux, TmuxError};

use super::stage::{Script, until};

#[tokio::test]
async fn one_look_reads_all_panes_and_misses_none_for_one_that_is_gone() {
    let stage = Script::new(AgentKind::Claude, (80, 24), "first \u{1b}[2mfaint\u{1b}[0m").play().await;
    stage.tmux(&["new-session", "-d", "-s", "other", "-x", "60", "-y", "10", "-c", "/", "printf second; cat"]);
    until(async || stage.tmux(&["capture-pane", "-p", "-t", "%1"]).contains("second")).await;
    let seen = stage.tmux.look(&["%9", "%0", "not a pane", "%1"]).await.unwrap();
    let ids: Vec<&str> = seen.iter().map(|sight| sight.pane.identity.id.as_str()).collect();
    assert_eq!(ids, ["%0", "%1"]);
    let text = String::from_utf8(seen[0].capture.clone()).unwrap();
    assert!(text.starts_with("first \u{1b}[2mfaint"), "{text:?}");
    assert_eq!(text.lines().count(), 24);
    let other = &seen[1].pane;
    assert_eq!((other.session.as_str(), other.identity.cols, other.identity.rows), ("other", 60, 10));
    assert_eq!(other.cwd.to_str(), Some("/"));
    assert!(!other.in_mode && !other.dead && other.tty.starts_with("/dev/"));
    assert_eq!(seen[0].pane.identity.server, other.identity.server);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_from_one_that_refuses() {
    let nowhere = Tmux::new(Some(format!("countersign-it-{}-nowhere", std::process::id())));
    assert!(matches!(nowhere.panes().await, Err(TmuxError::NoServer)));
    assert!(matches!(nowhere.look(&["%0"]).await, Err(TmuxError::NoServer)));
    assert!(nowhere.version().await.unwrap().starts_with("tmux "));
}

#[tokio::test]
async fn a_pane_whose_program_ended_says_so() {
    let stage = Script::new(AgentKind::Claude, (80, 24), "first").play().await;
    stage.tmux(&["set-option", "-w", "-t", "main", "remain-on-exit", "on"]);
    stage.tmux(&["respawn-pane", "-k", "-t", "%0", "true"]);
    until(async || stage.pane().await.dead).await;
}
