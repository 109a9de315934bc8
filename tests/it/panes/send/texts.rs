//! A text for an idle agent: pasted, seen, sent; and everything that keeps it back.

use countersign::domain::screen::AgentKind;

use super::screens::{LIMITED, asks, rests, works};
use super::stage::{Script, told};

const NUDGE: &str = "Check your Countersign mail and act on it.";

fn resting() -> Script {
    Script::new(AgentKind::Claude, (110, 24), &rests("", 110))
}

#[tokio::test]
async fn a_text_is_pasted_seen_and_sent() {
    let stage = resting().brackets().on("it.\\033[201~", &rests(NUDGE, 110)).on("\\r", &works(110)).play().await;
    assert_eq!(told(&stage.deliver(NUDGE).await), ("sent", None, vec!["paste", "Enter"]));
    assert_eq!(stage.typed().await, format!("\u{1b}[200~{NUDGE}\u{1b}[201~\r"));
    assert_eq!(stage.tmux(&["list-buffers"]), "");
}

#[tokio::test]
async fn a_program_that_wants_no_brackets_gets_none() {
    let stage = resting().on("it.", &rests(NUDGE, 110)).on("\\r", &rests("", 110)).play().await;
    assert_eq!(told(&stage.deliver(NUDGE).await), ("sent", None, vec!["paste", "Enter"]));
    assert_eq!(stage.typed().await, format!("{NUDGE}\r"));
}

#[tokio::test]
async fn a_long_text_may_be_shown_as_a_mark() {
    let text = "Read this\nto its end. ".repeat(60);
    let stage = resting()
        .brackets()
        .on("\\033[201~", &rests("[Pasted text #1 +60 lines]", 110))
        .on("\\r", &works(110))
        .play()
        .await;
    assert_eq!(told(&stage.deliver(&text).await), ("sent", None, vec!["paste", "Enter"]));
    assert_eq!(stage.typed().await, format!("\u{1b}[200~{text}\u{1b}[201~\r"));
}

#[tokio::test]
async fn a_draft_of_a_person_is_left_alone() {
    let stage = Script::new(AgentKind::Claude, (110, 24), &rests("as I was say", 110)).play().await;
    assert_eq!(told(&stage.deliver(NUDGE).await), ("skipped", Some("not_idle"), vec![]));
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn what_is_not_idle_gets_no_text() {
    let stage = resting().play().await;
    let survey = rests("", 110).replace(
        "✻ Worked for 1m 12s",
        "● How is Claude doing this session? (optional)\n  1: Bad    2: Fine   3: Good   0: Dismiss",
    );
    for (screen, reason) in [
        (works(110), "not_idle"),
        (survey, "not_idle"),
        (asks("cargo test", 110), "dialog_present"),
        (LIMITED.to_owned(), "usage_limit_menu"),
        (format!("{}\n\n$ ", rests("", 110)), "not_idle"),
    ] {
        stage.paint(&screen).await;
        assert_eq!(told(&stage.deliver(NUDGE).await), ("skipped", Some(reason), vec![]), "{screen}");
    }
    stage.paint(&rests("", 110)).await;
    stage.tmux(&["copy-mode", "-t", "%0"]);
    assert_eq!(told(&stage.deliver(NUDGE).await), ("skipped", Some("pane_in_mode"), vec![]));
    stage.tmux(&["send-keys", "-t", "%0", "-X", "cancel"]);
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_text_that_would_be_a_command_is_not_typed() {
    let stage = resting().play().await;
    for text in ["/clear", "1", "!ls", "#note", "@file", "$x", "", "a\u{1b}[201~\r", "a\tb"] {
        let report = stage.deliver(text).await;
        assert_eq!(told(&report), ("failed", Some("text_not_allowed"), vec![]), "{text:?}");
    }
    assert_eq!(stage.typed().await, "");
}

#[tokio::test]
async fn a_dialog_in_the_last_moment_keeps_the_text_back() {
    let stage = resting().play().await;
    let report = stage.deliver_while(NUDGE, stage.paint(&asks("cargo test", 110))).await;
    assert_eq!(told(&report), ("skipped", Some("dialog_present"), vec![]));
    assert_eq!(stage.typed().await, "");
    assert_eq!(stage.tmux(&["list-buffers"]), "");
}

#[tokio::test]
async fn a_dialog_between_the_text_and_enter_gets_no_enter() {
    let stage = resting().on("it.", &asks("cargo test", 110)).play().await;
    let report = stage.deliver(NUDGE).await;
    assert_eq!(told(&report), ("failed", Some("dialog_before_enter"), vec!["paste"]));
    assert_eq!(stage.typed().await, NUDGE);
}

#[tokio::test]
async fn a_text_that_nobody_sees_gets_no_enter() {
    let stage = resting().play().await;
    assert_eq!(told(&stage.deliver(NUDGE).await), ("failed", Some("text_not_seen"), vec!["paste"]));
    stage.paint(&rests("", 110)).await;
    assert_eq!(stage.typed().await, NUDGE);
}

#[tokio::test]
async fn a_text_that_stays_gets_one_enter() {
    let stage = resting().on("it.", &rests(NUDGE, 110)).play().await;
    assert_eq!(told(&stage.deliver(NUDGE).await), ("failed", Some("text_stayed"), vec!["paste", "Enter"]));
    assert_eq!(stage.typed().await, format!("{NUDGE}\r"));
}
