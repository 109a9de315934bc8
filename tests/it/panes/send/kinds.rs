//! Programs that are answered otherwise: a letter, a word with Enter, a mark that is moved and looked at.

use countersign::domain::screen::AgentKind;

use super::stage::{Script, told};

const CODEX: &str = include_str!("../../../fixtures/panes/codex_exec_three_options.txt");
const AIDER: &str = include_str!("../../../fixtures/panes/aider_run_shell.txt");
const BUTTONS: &str = include_str!("../../../fixtures/panes/opencode_permission_buttons.ansi");

/// opencode with this button chosen.
fn buttons(chosen: &str) -> String {
    let lit = "\u{1b}[48;2;250;178;131m\u{1b}[38;2;10;10;10m Allow once \u{1b}[0m";
    assert!(BUTTONS.contains(lit));
    let plain = BUTTONS.replace(lit, " Allow once ");
    plain.replace(&format!(" {chosen} "), &lit.replace("Allow once", chosen))
}

const DONE: &str = "  the program went on";

#[tokio::test]
async fn codex_is_answered_by_the_letter_of_the_row() {
    for (option, key) in [(1, "y"), (3, "n")] {
        let stage = Script::new(AgentKind::Codex, (110, 28), CODEX).on(key, DONE).play().await;
        let decided = stage.decide(option).await;
        assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec![key]));
        assert_eq!(stage.typed().await, key);
    }
}

#[tokio::test]
async fn aider_gets_its_letter_and_enter_in_one_step() {
    let stage = Script::new(AgentKind::Aider, (100, 24), AIDER).on("n\\r", DONE).play().await;
    let decided = stage.decide(2).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["n", "Enter"]));
    assert_eq!(stage.typed().await, "n\r");
}

#[tokio::test]
async fn a_button_is_chosen_seen_and_confirmed() {
    let stage = Script::new(AgentKind::Opencode, (120, 26), &buttons("Allow once"))
        .on("\\033[C", &buttons("Allow always"))
        .on("\\033[C", &buttons("Reject"))
        .on("\\r", DONE)
        .alternate()
        .play()
        .await;
    let decided = stage.decide(3).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["Right", "Right", "Enter"]));
    assert_eq!(stage.typed().await, "\u{1b}[C\u{1b}[C\r");
}

#[tokio::test]
async fn the_button_that_is_chosen_already_is_confirmed() {
    let stage = Script::new(AgentKind::Opencode, (120, 26), &buttons("Allow once")).on("\\r", DONE).play().await;
    let decided = stage.decide(1).await;
    assert_eq!(told(&stage.answer(&decided).await), ("sent", None, vec!["Enter"]));
    assert_eq!(stage.typed().await, "\r");
}

#[tokio::test]
async fn without_the_mark_on_the_row_nothing_is_confirmed() {
    // The second move is lost: the mark stays on the row that allows for good.
    let stage = Script::new(AgentKind::Opencode, (120, 26), &buttons("Allow once"))
        .on("\\033[C", &buttons("Allow always"))
        .play()
        .await;
    let decided = stage.decide(3).await;
    assert_eq!(told(&stage.answer(&decided).await), ("failed", Some("mark_moved"), vec!["Right", "Right"]));
    assert_eq!(stage.typed().await, "\u{1b}[C\u{1b}[C");
}

#[tokio::test]
async fn a_dialog_that_comes_between_the_moves_and_enter_is_not_confirmed() {
    let other = buttons("Reject").replace("lsof", "kill");
    let stage =
        Script::new(AgentKind::Opencode, (120, 26), &buttons("Allow once")).on("\\033[C\\033[C", &other).play().await;
    let decided = stage.decide(3).await;
    assert_eq!(told(&stage.answer(&decided).await), ("failed", Some("dialog_changed"), vec!["Right", "Right"]));
    assert_eq!(stage.typed().await, "\u{1b}[C\u{1b}[C");
}
