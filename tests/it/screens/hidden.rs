//! Commands that are written so that a part of them looks like something else: no part may be lost, and none proven.

use countersign::domain::screen::{AgentKind, Found, read};
use countersign::pane::frame::{Size, screen};

fn found(agent: AgentKind, text: &str) -> Found {
    let size = Size { cols: Some(80), rows: Some(24) };
    read(agent, &screen(text.as_bytes(), size)).dialog.unwrap_or_else(|| panic!("a dialog: {text}"))
}

fn claude(rows: &[&str]) -> Found {
    let rule = "─".repeat(80);
    let rows: String = rows.iter().flat_map(|row| ["   ", row, "\n"]).collect();
    let told = "   \u{1b}[2mRun the tests\u{1b}[0m";
    let asks = " Do you want to proceed?\n ❯ 1. Yes\n   2. No\n";
    found(AgentKind::Claude, &format!("● Go\n\n{rule}\n Bash command\n\n{rows}{told}\n\n{asks}"))
}

fn codex(rows: &[&str]) -> Found {
    let rows = rows.join("\n    ");
    let asks = "› 1. Yes, proceed (y)\n  2. No, and tell Codex what to do differently (esc)";
    let keys = "  Press enter to confirm or esc to cancel";
    let head = "  Would you like to run the following command?";
    found(AgentKind::Codex, &format!("{head}\n\n  Reason: x\n\n  $ {rows}\n\n{asks}\n\n{keys}\n"))
}

fn gemini(head: &str, rows: &[&str]) -> Found {
    let line = |text: &str| format!("│ {text:<76} │\n");
    let inner: String = rows.iter().map(|row| line(&format!("│ {row:<72} │"))).collect();
    let bar = "─".repeat(74);
    let (top, foot) = (line(&format!("╭{bar}╮")), line(&format!("╰{bar}╯")));
    let asks =
        [" Allow execution of [Shell]?", "", "● 1. Allow once", "  2. No, suggest changes (esc)"].map(line).concat();
    let edge = "─".repeat(78);
    found(AgentKind::Gemini, &format!("╭{edge}╮\n{}{top}{inner}{foot}{asks}╰{edge}╯\n", line(head)))
}

fn opencode(rows: &[&str]) -> Found {
    let rows: String = rows.iter().flat_map(|row| ["  ┃  ", row, "\n"]).collect();
    let keys = "  ┃   Allow once   Allow always   Reject      ⇆ select  enter confirm";
    found(AgentKind::Opencode, &format!("\n  ┃  △ Permission required\n  ┃    # x\n  ┃\n{rows}  ┃\n{keys}\n"))
}

fn aider(rows: &[&str]) -> Found {
    found(AgentKind::Aider, &format!("\n{}\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ", rows.join("\n")))
}

/// Whether the policy could approve it.
fn provable(found: &Found) -> bool {
    let whole = found.command.as_deref().is_some_and(|command| !command.contains('\n'));
    whole && !found.truncated && !found.joined
}

#[test]
fn a_row_of_a_command_that_looks_like_a_frame_is_a_row_of_it() {
    for evil in
        ["────; rm -r x ;────", "╌╌╌╌╌; rm -r x ;╌╌╌╌╌", "╭───────────; rm -r x ;─╮", "╰──────────; rm -r x ;──"]
    {
        for rows in [["cargo test", evil], [evil, "cargo test"]] {
            let all = [
                claude(&rows),
                codex(&[&["true"], &rows[..]].concat()),
                gemini("? Shell  cargo test", &rows),
                opencode(&[&["$ true"], &rows[..]].concat()),
                aider(&rows),
            ];
            for found in all {
                assert!(found.command.as_deref().is_some_and(|text| text.contains("rm -r x")), "{found:?}");
                assert!(!provable(&found), "{found:?}");
            }
        }
    }
}

#[test]
fn a_command_between_bars_is_not_the_command_without_them() {
    for found in
        [claude(&["│ cargo test │"]), gemini("? Shell  cargo test", &["│ cargo test │"]), opencode(&["$ cargo test │"])]
    {
        assert!(!provable(&found), "{found:?}");
    }
    for found in [claude(&["cargo test"]), codex(&["cargo test"]), gemini("? Shell  cargo test", &["cargo test"])] {
        assert!(provable(&found), "{found:?}");
    }
    assert!(provable(&opencode(&["$ cargo test"])) && provable(&aider(&["cargo test"])));
}

#[test]
fn a_blank_that_is_part_of_a_name_stays_one() {
    for blank in ['\u{a0}', '\u{3000}', '\u{2003}'] {
        for command in [format!("cat a{blank}b"), format!("cat a{blank}")] {
            for found in [claude(&[&command]), codex(&[&command])] {
                assert_eq!(found.command.as_deref(), Some(command.as_str()), "{found:?}");
            }
        }
    }
}

#[test]
fn a_command_that_would_run_in_another_folder_is_not_proven_for_this_one() {
    assert!(!provable(&gemini("? Shell  cat notes [in docs]", &["cat notes"])));
    assert!(!provable(&gemini("? Shell  cat notes and so o…", &["cat notes"])));
    assert!(provable(&gemini("? Shell  cat notes [current working directory]", &["cat notes"])));
    let cursor = |place: &str| {
        let line = |text: &str| format!(" │ {text:<70} │\n");
        let edge = "─".repeat(72);
        let asks =
            ["Run this command?", "Not in allowlist: cat", " → Run (y) (enter)", "   Reject (esc or p)"].map(line);
        let (top, foot) = (format!(" ┌{edge}┐\n"), format!(" └{edge}┘\n"));
        let text = format!("{top}{}{foot}{top}{}{foot}", line(&format!("$ cat notes in {place}")), asks.concat());
        found(AgentKind::Cursor, &text)
    };
    assert!(provable(&cursor(".")));
    let other = cursor("~/private");
    assert!(!provable(&other) && other.command.as_deref() == Some("cat notes in ~/private"), "{other:?}");
}
