//! Something changes in the very moment before the key, when everything has been compared: tmux itself holds it.

use countersign::domain::screen::AgentKind;

use super::screens::{asks, asks_with, works};
use super::stage::{Script, Stage, told};

async fn asking() -> Stage {
    Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).play().await
}

#[tokio::test]
async fn another_command_in_the_last_moment() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    let report = stage.answer_while(&decided, stage.paint(&asks("cargo clean", 80))).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn another_row_in_the_last_moment() {
    let stage = asking().await;
    let decided = stage.decide(2).await;
    let other = asks_with("cargo test", 80, &["Yes", "Now and for ever", "No"]);
    let report = stage.answer_while(&decided, stage.paint(&other)).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn the_same_rows_elsewhere_in_the_last_moment() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    // As before, but the conversation has gone on and shows it in its past.
    let later = format!("{}\n\n{}", asks("cargo test", 80), works(80));
    let report = stage.answer_while(&decided, stage.paint(&later)).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_resize_in_the_last_moment() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    let resize = async { drop(stage.tmux(&["resize-window", "-t", "main", "-x", "90", "-y", "24"])) };
    let report = stage.answer_while(&decided, resize).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn whoever_scrolls_is_left_alone() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    stage.tmux(&["copy-mode", "-t", "%0"]);
    assert_eq!(told(&stage.answer(&decided).await), ("skipped", Some("pane_in_mode"), vec![]));
    assert_eq!(stage.tmux(&["display-message", "-p", "-t", "%0", "#{pane_in_mode}"]), "1");
    stage.tmux(&["send-keys", "-t", "%0", "-X", "cancel"]);
    let scroll = async { drop(stage.tmux(&["copy-mode", "-t", "%0"])) };
    let report = stage.answer_while(&decided, scroll).await;
    assert_eq!(told(&report), ("skipped", Some("pane_in_mode"), vec![]));
    stage.tmux(&["send-keys", "-t", "%0", "-X", "cancel"]);
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_key_that_would_go_into_every_pane_goes_into_none() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    let synchronize = async { drop(stage.tmux(&["set-option", "-w", "-t", "main", "synchronize-panes", "on"])) };
    let report = stage.answer_while(&decided, synchronize).await;
    assert_eq!(told(&report), ("skipped", Some("pane_in_mode"), vec![]));
    assert_eq!(told(&stage.answer(&decided).await), ("skipped", Some("pane_in_mode"), vec![]));
    stage.tmux(&["set-option", "-w", "-t", "main", "synchronize-panes", "off"]);
    stage.tmux(&["select-pane", "-d", "-t", "%0"]);
    assert_eq!(told(&stage.answer(&decided).await), ("skipped", Some("pane_in_mode"), vec![]));
    stage.tmux(&["select-pane", "-e", "-t", "%0"]);
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_pane_killed_in_the_last_moment_leaves_its_neighbour_alone() {
    let stage = asking().await;
    let decided = stage.decide(1).await;
    let heard = stage.folder.join("heard");
    stage.tmux(&["split-window", "-d", "-t", "main", &format!("stty raw; exec tee '{}'", heard.display())]);
    // The neighbour takes the whole window, at the size that the pane had.
    stage.tmux(&["resize-window", "-t", "main", "-x", "80", "-y", "24"]);
    let size = stage.pane().await.identity;
    let decided = (countersign::domain::facts::PaneIdentity { rows: size.rows, ..decided.0 }, decided.1);
    let report = stage.answer_while(&decided, async { drop(stage.tmux(&["kill-pane", "-t", "%0"])) }).await;
    assert_eq!(told(&report), ("skipped", Some("state_changed"), vec![]));
    stage.tmux(&["send-keys", "-t", "%1", "-l", "~"]);
    super::stage::until(async || std::fs::read_to_string(&heard).is_ok_and(|text| text.ends_with('~'))).await;
    assert_eq!(std::fs::read_to_string(&heard).unwrap(), "~");
}

#[tokio::test]
async fn the_mark_may_move_but_a_digit_means_the_same_row() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).on("1", &works(80)).play().await;
    let decided = stage.decide(1).await;
    let moved = asks("cargo test", 80).replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No");
    stage.paint(&moved).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["1"]));
    assert_eq!(stage.typed().await, "1");
}
