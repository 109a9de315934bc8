//! The same screens, changed in ways that must not matter, and in ways that must.

use countersign::domain::screen::{AgentKind, Found, Reading, Status};
use countersign::pane::frame::Size;

use super::expected::folded;
use super::sample::{Sample, redrawable};

/// All but those whose meaning hangs on the height of their pane.
fn all() -> Vec<Sample> {
    let low = ["aider_cut", "codex_fake_alone_on_filled"];
    redrawable().into_iter().filter(|sample| !low.contains(&sample.name.as_str())).collect()
}

fn dialogs() -> Vec<(Sample, Found)> {
    let all = all().into_iter().filter_map(|sample| sample.read().dialog.map(|found| (sample, found)));
    let all: Vec<_> = all.collect();
    assert!(all.len() > 150);
    all
}

fn wide(sample: &Sample, more: u16) -> Size {
    Size { cols: Some(sample.cols() + more), rows: None }
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// What must stay the same.
fn gist(reading: &Reading) -> (Status, bool, Option<Found>) {
    (reading.status, reading.safe_to_type, reading.dialog.clone())
}

#[test]
fn blank_rows_below_change_nothing() {
    for sample in all() {
        let longer = format!("{}{}", sample.text, "\n".repeat(40));
        assert_eq!(gist(&sample.read_as(&longer, wide(&sample, 0))), gist(&sample.read()), "{}", sample.name);
    }
}

#[test]
fn old_dialogs_above_change_nothing_that_is_decided() {
    // A line prompt has no frame: what is above is what it is about. Nor have these, or it has left the screen.
    let bare = [
        "claude_login_method",
        "claude_theme",
        "claude_dark_theme_pick",
        "claude_api_key_env",
        "claude_cut",
        "claude_truncated_start",
        "claude_body_fake_rule_flush",
        "claude_plan_cut_fake_rule",
        "claude_plan_cut_short_rule",
        "codex_truncated_start",
    ];
    let framed = all().into_iter().filter(|sample| {
        !matches!(sample.agent(), AgentKind::Aider | AgentKind::Generic) && !bare.contains(&sample.name.as_str())
    });
    for sample in framed {
        let old = format!("{}\n● Done with that.\n\n{}", sample.text, sample.text);
        let (found, expected) = (sample.read_as(&old, wide(&sample, 0)), sample.read());
        assert_eq!((found.status, found.safe_to_type), (expected.status, expected.safe_to_type), "{}", sample.name);
        let rows = |reading: &Reading| reading.dialog.as_ref().map(|dialog| dialog.options.clone());
        assert_eq!(rows(&found), rows(&expected), "{}", sample.name);
    }
}

#[test]
fn a_margin_changes_nothing() {
    for sample in all() {
        let shifted = each_line(&sample.text, |line| format!("  {line}"));
        let found = sample.read_as(&shifted, wide(&sample, 2));
        assert_eq!(gist(&found), gist(&sample.read()), "{}", sample.name);
    }
}

#[test]
fn the_drawing_of_the_frame_does_not_matter() {
    let round = ['╭', '╮', '╰', '╯', '─', '│'];
    for drawn in [['┌', '┐', '└', '┘', '─', '│'], ['╔', '╗', '╚', '╝', '═', '║'], ['┏', '┓', '┗', '┛', '━', '┃']]
    {
        // opencode draws bars, and some commands here are themselves made of such lines.
        let own = ["claude_body_fake_rule", "cursor_fake_box_in_cmd"];
        let boxed = |sample: &&Sample| sample.agent() != AgentKind::Opencode && !own.contains(&sample.name.as_str());
        for sample in all().iter().filter(boxed) {
            let swap = |c: char| round.iter().position(|old| *old == c).map_or(c, |at| drawn[at]);
            let redrawn: String = sample.text.chars().map(swap).collect();
            assert_eq!(gist(&sample.read_as(&redrawn, wide(sample, 0))), gist(&sample.read()), "{}", sample.name);
        }
    }
}

#[test]
fn a_dialog_with_something_below_it_is_over() {
    for (sample, _) in dialogs() {
        let rule = "─".repeat(usize::from(sample.cols()));
        let composer = match sample.agent() {
            AgentKind::Codex => "› Ask Codex to do anything\n\n  gpt-5 default · /srv/x\n".to_owned(),
            AgentKind::Gemini => format!("{rule}\n >   Type your message or @path/to/file\n"),
            AgentKind::Opencode => {
                "\n  ┃\n  ┃\n  ┃  Build  GPT-5 Mini\n  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀\n      tab switch agent\n".to_owned()
            }
            AgentKind::Aider => "y\n> \n".to_owned(),
            _ => format!("{rule}\n❯ \n{rule}\n  ? for shortcuts\n"),
        };
        let below = format!("{}\n\n{composer}", sample.text.trim_end());
        assert_eq!(sample.read_as(&below, wide(&sample, 0)).dialog, None, "{}", sample.name);
        let output = format!("{}\n● The work went on.\n  and on\n", sample.text.trim_end());
        assert_eq!(sample.read_as(&output, wide(&sample, 0)).dialog, None, "{}", sample.name);
    }
}

#[test]
fn a_dialog_quoted_in_talk_is_none() {
    for (sample, _) in dialogs() {
        let rule = "─".repeat(usize::from(sample.cols()) + 4);
        let quoted = each_line(&sample.text, |line| format!("    {line}"));
        let text = format!("● The file holds this:\n\n{quoted}\n\n{rule}\n❯ \n{rule}\n  ? for shortcuts\n");
        let claude = Sample { meaning: serde_json::json!({"agent": "claude"}), ..sample.clone() };
        let reading = claude.read_as(&text, wide(&sample, 4));
        assert_eq!((reading.status, reading.dialog), (Status::Idle, None), "{}", sample.name);
    }
}

#[test]
fn half_a_dialog_offers_nothing_that_the_whole_one_does_not() {
    // One of them holds another dialog further up, which the first half shows whole; one is told by its last row alone.
    let others = ["cursor_two_dialogs", "claude_decision_by_keys"];
    for (sample, whole) in dialogs().into_iter().filter(|(sample, _)| !others.contains(&sample.name.as_str())) {
        let rows: Vec<&str> = sample.text.lines().collect();
        for shown in 1..rows.len() {
            let half = rows[..shown].join("\n");
            let reading = sample.read_as(&half, wide(&sample, 0));
            let Some(found) = reading.dialog else { continue };
            assert!(!reading.safe_to_type);
            if found.approve_option.is_some() {
                assert_eq!(found.approve_option, whole.approve_option, "{} {shown}", sample.name);
                assert_eq!(found.options.len(), whole.options.len(), "{} {shown}", sample.name);
                assert_eq!(found.command, whole.command, "{} {shown}", sample.name);
            }
        }
    }
}

#[test]
fn nothing_is_approved_whose_beginning_is_off_the_screen() {
    for (sample, whole) in dialogs() {
        let said = |found: &Found| folded(&format!("{:?} {:?}", found.command, found.body));
        let rows: Vec<&str> = sample.text.lines().collect();
        // The pane is filled; a lower one than this is no pane, and a line prompt or a bar says nowhere where it begins.
        let lowest = if matches!(sample.agent(), AgentKind::Aider | AgentKind::Opencode) { 6 } else { 1 };
        for gone in (1..rows.len()).take_while(|gone| rows.len() - gone >= lowest) {
            let size = Size { rows: u16::try_from(rows.len() - gone).ok(), ..wide(&sample, 0) };
            let reading = sample.read_as(&rows[gone..].join("\n"), size);
            let Some(found) = reading.dialog.filter(|found| found.approve_option.is_some()) else { continue };
            assert_eq!(found.command, whole.command, "{} without {gone} rows", sample.name);
            if sample.agent() != AgentKind::Generic {
                assert_eq!(said(&found), said(&whole), "{} without {gone} rows", sample.name);
            }
        }
    }
}

#[test]
fn rows_with_other_labels_are_never_chosen() {
    for label in ["Yes, whatever comes", "Yes, and remember it", "Yes to all", "Sure", "Yes (for all)", "Yes\u{200b}"] {
        for (sample, found) in dialogs() {
            let Some(row) = found.options.iter().find(|row| Some(row.n) == found.approve_option) else { continue };
            let number = format!("{}. {}", row.n, row.text);
            let Some((before, after)) = sample.text.rsplit_once(&number) else { continue };
            let width = row.text.chars().count();
            let changed = format!("{before}{}. {label:<width$}{after}", row.n);
            let reading = sample.read_as(&changed, wide(&sample, 0));
            assert_eq!(reading.dialog.and_then(|found| found.approve_option), None, "{} {label}", sample.name);
        }
    }
}
