//! The key was sent and did not help, or may not be sent at all: that is said, and it is never pressed again.

use std::future::ready;
use std::io;

use countersign::domain::screen::AgentKind;
use countersign::pane::send::{Errand, NotBegun};

use super::screens::{asks, asks_with, works};
use super::stage::{FACTS, Script, told};

#[tokio::test]
async fn a_dialog_that_stays_was_pressed_once() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).play().await;
    let decided = stage.decide(1).await;
    let report = stage.answer(&decided).await;
    assert_eq!(told(&report), ("failed", Some("dialog_stayed"), vec!["1"]));
    assert!(report.pane_excerpt.unwrap().contains("Do you want to proceed?"));
    assert_eq!(stage.typed().await, "1");
}

#[tokio::test]
async fn a_dialog_painted_anew_has_not_gone() {
    let same = asks("cargo test", 80);
    let moved = same.replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No");
    let stage = Script::new(AgentKind::Claude, (80, 24), &same).on("1", &moved).play().await;
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("failed", Some("dialog_stayed"), vec!["1"]));
    assert_eq!(stage.typed().await, "1");
}

#[tokio::test]
async fn without_the_note_that_it_began_nothing_begins() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).on("1", &works(80)).play().await;
    let (pane, decided) = stage.decide(1).await;
    let facts = || ready(Some(FACTS.to_owned()));
    let full = ready(Err(io::Error::from(io::ErrorKind::StorageFull).into()));
    let report = stage.send(&pane, Errand::Answer(&decided), facts(), full).await;
    assert_eq!(told(&report), ("failed", Some("not_noted_before_key"), vec![]));
    let ended = ready(Err(NotBegun::Ended));
    let report = stage.send(&pane, Errand::Answer(&decided), facts(), ended).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_row_for_more_than_this_request_is_never_pressed() {
    let rows = ["Yes", "Yes, and don't ask again for: cargo test", "No"];
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks_with("cargo test", 80, &rows)).play().await;
    let decided = stage.decide(2).await;
    assert_eq!(told(&stage.answer(&decided).await), ("failed", Some("standing_option"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_row_that_the_decision_calls_otherwise_is_not_pressed() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).play().await;
    let mut decided = stage.decide(2).await;
    for (option, text) in [(2, "Yes"), (3, "No"), (1, "No")] {
        (decided.1.option, decided.1.option_text) = (option, text.to_owned());
        assert_eq!(told(&stage.answer(&decided).await), ("skipped", Some("state_changed"), vec![]));
    }
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_pane_that_ends_with_its_key_is_not_called_done() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).play().await;
    let decided = stage.decide(1).await;
    let ends = format!("until [ -s '{}' ]; do sleep 0.01; done; tmux -L", stage.folder.join("keys").display());
    let socket = stage.tmux(&["display-message", "-p", "#{socket_path}"]);
    let ends = ends.replace("tmux -L", &format!("tmux -S '{socket}' kill-server"));
    stage.tmux(&["run-shell", "-b", &ends]);
    assert_eq!(told(&stage.answer(&decided).await), ("failed", Some("pane_gone"), vec!["1"]));
    assert_eq!(std::fs::read_to_string(stage.folder.join("keys")).unwrap(), "1");
}
