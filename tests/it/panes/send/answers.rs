//! The answer arrives: one key, in the dialog that was decided.

use countersign::domain::screen::AgentKind;

use super::screens::{asks, asks_with, works};
use super::stage::{Script, told};

#[tokio::test]
async fn a_dialog_is_approved_with_its_one_key() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).on("1", &works(80)).play().await;
    let decided = stage.decide(1).await;
    let report = stage.answer(&decided).await;
    assert_eq!(told(&report), ("sent", None, vec!["1"]));
    assert!(report.pane_excerpt.unwrap().contains("Untangling"));
    assert_eq!(stage.typed().await, "1");
}

#[tokio::test]
async fn a_dialog_is_denied_with_its_one_key() {
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("git push origin main", 80))
        .on("2", &works(80))
        .alternate()
        .play()
        .await;
    let decided = stage.decide(2).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["2"]));
    assert_eq!(stage.typed().await, "2");
}

#[tokio::test]
async fn a_narrow_pane_with_wrapped_rows_gets_the_one_key_of_its_last_row() {
    let rows = ["Yes", "Yes, and don't ask again for:\n      docker compose run --rm commands", "No"];
    let text = asks_with("docker compose run --rm api", 48, &rows);
    let stage = Script::new(AgentKind::Claude, (48, 30), &text).on("3", &works(48)).play().await;
    let decided = stage.decide(3).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["3"]));
    assert_eq!(stage.typed().await, "3");
}

#[tokio::test]
async fn old_dialogs_above_the_screen_do_not_matter() {
    let old = asks("rm -rf target", 80);
    let history = [old.as_str(), &works(80), &old, &works(80), &old].join("\n");
    let start = format!("{history}\n{}", asks("cargo fmt", 80));
    let stage = Script::new(AgentKind::Claude, (80, 24), &start).on("1", &works(80)).play().await;
    let lines: u32 = stage.tmux(&["display-message", "-p", "-t", "%0", "#{history_size}"]).parse().unwrap();
    assert!(lines > 40, "{lines}");
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["1"]));
    assert_eq!(stage.typed().await, "1");
}

#[tokio::test]
async fn wide_and_combined_characters_do_not_keep_the_key_back() {
    let text = asks("printf '漢字 🦀 e\u{301} ｶﾅ\u{200d} ✔️' > メモ.txt", 80);
    let stage = Script::new(AgentKind::Claude, (80, 24), &text).on("1", &works(80)).play().await;
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["1"]));
    assert_eq!(stage.typed().await, "1");
}

#[tokio::test]
async fn a_command_that_speaks_the_language_of_tmux_stays_text() {
    let trap = "#{pane_id},} #(touch PWNED) '; kill-server ; \" #[fg=red] $HOME %% ^.*$ \\; ~ {a,b} [!x] `id` ##";
    let stage = Script::new(AgentKind::Claude, (120, 24), "waits").on("1", &works(120)).play().await;
    let trap = trap.replace("PWNED", stage.folder.join("pwned").to_str().unwrap());
    stage.paint(&asks_with(&trap, 120, &["Yes", "No"])).await;
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["1"]));
    assert_eq!(stage.typed().await, "1");
    assert!(!stage.folder.join("pwned").exists());
}

#[tokio::test]
async fn the_next_dialog_is_no_business_of_the_key() {
    let next = asks("cargo bench", 80);
    let stage = Script::new(AgentKind::Claude, (80, 24), &asks("cargo test", 80)).on("1", &next).play().await;
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["1"]));
    // It was decided for the first; the second gets nothing of it.
    assert_eq!(told(&stage.answer(&decided).await), ("skipped", Some("state_changed"), vec![]));
    assert_eq!(stage.typed().await, "1");
}
