//! What an idle agent said last, as far as it is on the screen.

use countersign::domain::screen::{AgentKind, Tail, read};
use countersign::pane::frame::{Size, screen};

use super::sample::samples;

fn tail(name: &str) -> Tail {
    samples().into_iter().find(|sample| sample.name == name).unwrap().read().tail.unwrap()
}

#[test]
fn the_tail_begins_behind_the_last_message_and_leaves_the_spinner_out() {
    let tail = tail("claude_idle_empty");
    assert_eq!(tail.text, "● Renamed the flag in cli.rs, README.md and the two tests. All 61 tests pass.");
    assert!(!tail.clipped && !tail.asks);
}

#[test]
fn a_tail_whose_beginning_is_gone_says_so() {
    assert!(tail("claude_idle_stale_dialog_above").clipped);
    assert!(tail("gemini_idle").clipped);
}

#[test]
fn a_question_in_plain_words_waits_for_input() {
    let tail = tail("opencode_idle_numbered_question");
    assert!(tail.text.contains("2. A container image"), "{}", tail.text);
    let text = "› which one?\n\n• There are two.\n\n  Which one do you want?\n\n› Ask Codex to do anything\n\n  gpt-5 · /srv/x\n";
    let tail = read(AgentKind::Codex, &screen(text.as_bytes(), Size::default())).tail.unwrap();
    assert_eq!(tail.text, "• There are two.\n  Which one do you want?");
    assert!(tail.asks && !tail.clipped);
}

#[test]
fn only_the_end_of_a_long_tail_is_kept() {
    let long = "é".repeat(300) + "\n";
    let text = format!("› go\n\n{}\n› Ask Codex to do anything\n", long.repeat(100));
    let tail = read(AgentKind::Codex, &screen(text.as_bytes(), Size::default())).tail.unwrap();
    assert!(tail.clipped && tail.text.len() <= 8192 && tail.text.len() > 8000);
}

#[test]
fn who_works_or_asks_has_no_tail() {
    for sample in samples().iter().filter(|sample| !sample.name.contains("idle")) {
        assert_eq!(sample.read().tail, None, "{}", sample.name);
    }
}
