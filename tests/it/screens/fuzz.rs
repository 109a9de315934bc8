//! Any bytes give a reading, and never one that would let a text or a standing answer slip in.

use countersign::domain::screen::{AgentKind, Colour, Row, Screen, Status, Style, read};
use countersign::pane::frame::{Size, screen};
use proptest::prelude::*;

use super::sample::samples;

/// Rows and pieces of rows of which screens are made.
const PIECES: &[&str] = &[
    "❯ 1. Yes",
    "  2. No",
    "› 1. Yes, proceed (y)",
    "Do you want to proceed?",
    " Bash command",
    "│ ",
    " │",
    "╭────────╮",
    "╰────────╯",
    "────────────────────────────────────────",
    "❯ ",
    "┃  ",
    "△ Permission required",
    "Allow once   Allow always   Reject   ⇆ select  enter confirm",
    "Esc to cancel · Tab to amend",
    "[Y/n]",
    "(Y)es/(N)o",
    "● ",
    "✳ Untangling… (42s)",
    "\u{1b}[2m",
    "\u{1b}[0m",
    "\u{1b}[7m",
    "漢字",
    "\u{200b}",
    "\t",
    "\u{0}",
    "  ⎿  ",
    "1.",
    "10)",
    "[a] ",
    "(",
    ")",
    "[",
    "]",
    "…",
    "→ Run (y) (enter)",
    "   Reject (esc or p)",
    "\u{301}",
    "\u{2028}",
    "$ ls",
    "Password:",
];

fn agent() -> impl Strategy<Value = AgentKind> {
    prop::sample::select(AgentKind::ALL)
}

fn check(agent: AgentKind, screen: &Screen) {
    let reading = read(agent, screen);
    assert!(!reading.safe_to_type || reading.status == Status::Idle);
    assert_eq!(reading.status == Status::Blocked, reading.dialog.is_some());
    let Some(dialog) = reading.dialog else { return };
    for chosen in [dialog.approve_option, dialog.deny_option].into_iter().flatten() {
        let rows: Vec<_> = dialog.options.iter().filter(|row| row.n == chosen).collect();
        assert!(rows.len() == 1 && !rows[0].standing, "{rows:?}");
    }
    assert!(dialog.approve_option.is_none() || dialog.approve_option != dialog.deny_option);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read(agent in agent(), bytes in prop::collection::vec(any::<u8>(), 0..600), cols in any::<u16>(), rows in any::<u16>()) {
        check(agent, &screen(&bytes, Size { cols: Some(cols % 300), rows: Some(rows % 60) }));
    }

    #[test]
    fn any_pieces_of_screens_are_read(agent in agent(), pieces in prop::collection::vec((prop::sample::select(PIECES), any::<bool>()), 0..60), cols in 0u16..120) {
        let text: String = pieces.iter().flat_map(|(piece, ends)| [*piece, if *ends { "\n" } else { "" }]).collect();
        check(agent, &screen(text.as_bytes(), Size { cols: Some(cols), rows: None }));
    }

    #[test]
    fn styles_of_any_length_are_read(agent in agent(), text in "[ ❯›1-3.a-z│─]{0,80}", dim in any::<bool>(), styles in 0usize..200) {
        let style = Style { dim, inverse: !dim, fg: Colour::Indexed(1), bg: Colour::Rgb(1, 2, 3) };
        let row = Row { text, styles: vec![style; styles] };
        check(agent, &Screen { rows: vec![row.clone(), row], cols: 0 });
    }

    #[test]
    fn screens_with_rows_lost_or_doubled_are_read(at in any::<prop::sample::Index>(), row in any::<prop::sample::Index>(), doubled in any::<bool>(), agent in agent()) {
        let all = samples();
        let sample = at.get(&all);
        let mut lines: Vec<&str> = sample.text.lines().collect();
        let at = row.index(lines.len());
        if doubled { lines.insert(at, lines[at]) } else { lines.remove(at); }
        let changed = screen(lines.join("\n").as_bytes(), Size { cols: Some(sample.cols()), rows: None });
        check(sample.agent(), &changed);
        check(agent, &changed);
    }
}

#[test]
fn a_screen_of_any_size_is_read() {
    let long = PIECES.concat().repeat(2000);
    let tall = format!("{}\n", PIECES.join("\n")).repeat(500);
    for agent in AgentKind::ALL {
        check(*agent, &screen(long.as_bytes(), Size::default()));
        check(*agent, &screen(tall.as_bytes(), Size { cols: Some(u16::MAX), rows: Some(u16::MAX) }));
        check(*agent, &Screen::plain(&tall, usize::MAX));
        check(*agent, &Screen::plain("", 0));
    }
}
