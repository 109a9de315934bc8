//! Which keys answer a dialog: those that the fixtures name, and none for rows that are never pressed from afar.

use countersign::domain::dialog::DialogKind;
use countersign::domain::screen::{AgentKind, Choose, Key, choose, read};
use countersign::pane::frame::{Size, screen};

use super::expected;
use super::sample::{redrawable, samples};

fn names(found: Option<Choose>) -> Option<Vec<String>> {
    found.map(|found| found.keys().iter().map(|key| key.name().to_owned()).collect())
}

#[test]
fn the_answers_are_given_with_the_keys_of_each_program() {
    let mut seen = 0;
    for sample in samples() {
        let (Some(dialog), Some(found)) = (sample.dialog(), sample.read().dialog) else { continue };
        for what in ["approve", "deny"] {
            let (Some(row), Some(keys)) = (expected::row(dialog, what), dialog["keys"][what].as_array()) else {
                continue;
            };
            let expected: Vec<&str> = keys.iter().map(|key| key.as_str().unwrap()).collect();
            let mut given = names(choose(sample.agent(), &found, row)).unwrap();
            // Where the fixture trusts a key that the row does not name, we go to the row and look first.
            if given.len() > 1 && given.last().is_some_and(|key| key == "Enter") && expected.len() == 1 {
                assert_eq!(given.pop().as_deref(), Some("Enter"), "{}", sample.name);
                assert!(given.iter().all(|key| key == "Down" || key == "Right"), "{}", sample.name);
            } else {
                assert_eq!(given, expected, "{} {what}", sample.name);
            }
            seen += 1;
        }
    }
    assert!(seen > 30);
}

#[test]
fn no_key_reaches_a_standing_row_or_an_account() {
    let mut refused = 0;
    for sample in redrawable() {
        let Some(found) = sample.read().dialog else { continue };
        let account = matches!(found.kind, DialogKind::UsageLimit | DialogKind::Login);
        for row in found.options.iter().filter(|row| row.standing || account) {
            assert_eq!(choose(sample.agent(), &found, row.n), None, "{}: {}", sample.name, row.text);
            refused += 1;
        }
        assert_eq!(choose(sample.agent(), &found, 99), None);
    }
    assert!(refused > 200);
}

#[test]
fn no_key_reaches_a_row_that_asks_for_a_text_or_ticks_a_box() {
    let mut refused = 0;
    for sample in redrawable() {
        let Some(found) = sample.read().dialog else { continue };
        let boxes = found.options.iter().any(|row| row.text.starts_with("[ ]"));
        let asks = |text: &str| text.starts_with("Type ") || text.starts_with("Chat about");
        for row in found.options.iter().filter(|row| boxes || asks(&row.text)) {
            assert_eq!(choose(sample.agent(), &found, row.n), None, "{}: {}", sample.name, row.text);
            refused += 1;
        }
    }
    assert!(refused > 10);
}

#[test]
fn keys_that_give_more_than_this_once_are_never_pressed() {
    for sample in redrawable() {
        let Some(found) = sample.read().dialog else { continue };
        for row in &found.options {
            let keys = names(choose(sample.agent(), &found, row.n)).unwrap_or_default();
            assert!(!keys.iter().any(|key| matches!(key.as_str(), "a" | "d" | "Tab" | "BTab")), "{}", sample.name);
            assert!(!keys.contains(&"p".to_owned()) || sample.agent() == AgentKind::Cursor, "{}", sample.name);
        }
    }
}

#[test]
fn without_a_key_of_its_own_a_row_is_steered_to_and_looked_at() {
    let menu = |selected: usize| {
        let rows = ["Yes", "Yes, always", "No"].iter().enumerate();
        let row =
            |(at, text): (usize, &&str)| format!("{} {}. {text}\n", if at == selected { '❯' } else { ' ' }, at + 1);
        let text = format!("Do you want to proceed?\n{}", rows.map(row).collect::<String>());
        read(AgentKind::Generic, &screen(text.as_bytes(), Size::default())).dialog.unwrap()
    };
    let steer = |selected: usize, n: u32| choose(AgentKind::Generic, &menu(selected), n);
    assert_eq!(steer(0, 3), Some(Choose::Steer(vec![Key::Down, Key::Down])));
    assert_eq!(steer(2, 1), Some(Choose::Steer(vec![Key::Up, Key::Up])));
    assert_eq!(steer(0, 1), Some(Choose::Press(vec![Key::Enter])));
    assert_eq!(steer(0, 2), None);
}

#[test]
fn a_button_is_pressed_only_when_it_is_known_which_is_lit() {
    let sample = samples().into_iter().find(|sample| sample.name == "opencode_permission_buttons").unwrap();
    let lit = sample.read().dialog.unwrap();
    assert_eq!(choose(AgentKind::Opencode, &lit, 1), Some(Choose::Press(vec![Key::Enter])));
    assert_eq!(choose(AgentKind::Opencode, &lit, 3), Some(Choose::Steer(vec![Key::Right, Key::Right])));
    let plain: String =
        sample.text.replace("\u{1b}[48;2;250;178;131m\u{1b}[38;2;10;10;10m", "").replace("\u{1b}[0m", "");
    let dark = sample.read_as(&plain, Size { cols: Some(120), rows: None }).dialog.unwrap();
    assert_eq!(choose(AgentKind::Opencode, &dark, 1), None);
    assert_eq!(choose(AgentKind::Opencode, &dark, 3), Some(Choose::Press(vec![Key::Escape])));
}

#[test]
fn lists_in_which_several_can_be_ticked_are_answered_at_the_terminal() {
    let text = include_str!("../../fixtures/shapes/claude_multiselect.txt");
    let found = read(AgentKind::Claude, &screen(text.as_bytes(), Size::default())).dialog.unwrap();
    for row in &found.options {
        assert_eq!(choose(AgentKind::Claude, &found, row.n), None, "{}", row.text);
    }
}

#[test]
fn a_key_that_an_agent_names_in_its_own_choice_is_not_pressed() {
    let sample = samples().into_iter().find(|sample| sample.name == "codex_question").unwrap();
    let text = sample.text.replace("Ship with the next release", "Ship it (x)").replace("release/2.8", "No (q)     ");
    let found = sample.read_as(&text, Size { cols: Some(120), rows: None }).dialog.unwrap();
    assert_eq!(choose(AgentKind::Codex, &found, 1), Some(Choose::Press(vec![Key::Enter])), "{found:?}");
    assert_eq!(choose(AgentKind::Codex, &found, 2), Some(Choose::Steer(vec![Key::Down])), "{found:?}");
}
