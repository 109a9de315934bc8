//! The same dialogs in narrow panes, broken into rows the way the programs do it.

use countersign::domain::screen::{AgentKind, Found};
use countersign::pane::frame::Size;

use super::expected::folded;
use super::sample::{Sample, redrawable};

/// The screen as the program would draw it in so many columns.
fn narrow(text: &str, cols: usize) -> String {
    text.lines().flat_map(|line| row(line, cols)).map(|line| line + "\n").collect()
}

fn row(line: &str, cols: usize) -> Vec<String> {
    let shown = line.trim();
    let indent = line.len() - line.trim_start().len();
    let room = cols - indent;
    let first = shown.chars().next().unwrap_or(' ');
    let across = |left: &str, fill: char, right: &str| {
        let length = room.saturating_sub(2);
        format!("{}{left}{}{right}", " ".repeat(indent), String::from(fill).repeat(length))
    };
    match first {
        '╭' | '┌' => vec![across(&first.to_string(), '─', if first == '╭' { "╮" } else { "┐" })],
        '╰' | '└' if shown.ends_with(['╯', '┘']) => {
            vec![across(&first.to_string(), '─', if first == '╰' { "╯" } else { "┘" })]
        }
        '─' | '╌' if shown.chars().filter(|c| *c == first).count() > 20 => vec![String::from(first).repeat(cols)],
        '│' if shown.ends_with('│') => {
            let inner: String = shown.chars().skip(2).collect();
            let inner = inner.strip_suffix('│').unwrap_or(&inner).trim_end();
            let width = room - 4;
            let boxed = |inner: String| format!("{}│ {inner:<width$} │", " ".repeat(indent));
            row(inner, width).into_iter().map(boxed).collect()
        }
        _ => words(line, indent, cols),
    }
}

/// Words in as many rows as they need; options hang below their label, a description below its column.
fn words(line: &str, indent: usize, cols: usize) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let number = chars.iter().position(char::is_ascii_digit).filter(|at| chars.get(at + 1) == Some(&'.'));
    let option = number.filter(|at| chars[..*at].iter().all(|c| c.is_whitespace() || "❯›●".contains(*c)));
    let label = option.map_or(indent, |at| at + 2 + chars[at + 2..].iter().take_while(|c| c.is_whitespace()).count());
    let tail: String = chars[label.min(chars.len())..].iter().collect();
    let described =
        option.and_then(|_| tail.find("  ")).map(|at| tail[at..].len() - tail[at..].trim_start().len() + at);
    let hang = described.map_or(label, |at| label + tail[..at].chars().count());
    let kept: String = chars[..hang.min(chars.len())].iter().collect();
    let (mut rows, mut now) = (Vec::new(), kept);
    let rest: String = chars[hang.min(chars.len())..].iter().collect();
    let room = cols - 1 - hang;
    let pieces = rest.split(' ').flat_map(|word| {
        let chars: Vec<char> = word.chars().collect();
        let pieces: Vec<String> = chars.chunks(room).map(|piece| piece.iter().collect()).collect();
        if pieces.is_empty() { vec![String::new()] } else { pieces }
    });
    for (at, word) in pieces.enumerate() {
        if now.chars().count() + 1 + word.chars().count() > cols - 1 && at > 0 {
            rows.push(now);
            now = " ".repeat(hang) + &word;
        } else {
            now = if at == 0 { now + &word } else { now + " " + &word };
        }
    }
    rows.push(now);
    rows
}

/// What the redrawing above cannot do: bars, rules inside a text, blanks that do not break, a given height, two sentences in
/// one question.
const NOT_REDRAWN: &[&str] = &[
    "codex_bar_old",
    "codex_fake_alone_on_filled",
    "claude_plan_cut_fake_rule",
    "claude_plan_cut_short_rule",
    "cursor_fake_box_in_cmd",
    "codex_allow_command_old",
    "claude_body_fake_rule",
    "claude_body_fake_rule_flush",
    "claude_create_nbsp",
    "gemini_loop",
];

fn dialogs() -> Vec<(Sample, Found)> {
    let framed = |sample: &Sample| {
        !NOT_REDRAWN.contains(&sample.name.as_str())
            && matches!(
                sample.agent(),
                AgentKind::Claude | AgentKind::Codex | AgentKind::Gemini | AgentKind::Copilot | AgentKind::Cursor
            )
    };
    redrawable()
        .into_iter()
        .filter(framed)
        .filter_map(|sample| sample.read().dialog.map(|found| (sample, found)))
        .collect()
}

#[test]
fn a_narrow_pane_is_read_like_a_wide_one() {
    for cols in [72, 60, 52, 48] {
        for (sample, wide) in dialogs().into_iter().filter(|(sample, _)| usize::from(sample.cols()) > cols) {
            let text = narrow(&sample.text, cols);
            let size = Size { cols: u16::try_from(cols).ok(), rows: None };
            let found =
                sample.read_as(&text, size).dialog.unwrap_or_else(|| panic!("{} at {cols}:\n{text}", sample.name));
            let rows = |found: &Found| {
                found
                    .options
                    .iter()
                    .map(|row| (row.n, row.text.clone(), row.standing, row.selected))
                    .collect::<Vec<_>>()
            };
            assert_eq!(rows(&found), rows(&wide), "{} at {cols}:\n{text}", sample.name);
            assert_eq!(found.kind, wide.kind, "{} at {cols}", sample.name);
            assert_eq!(folded(&found.question), folded(&wide.question), "{} at {cols}:\n{text}", sample.name);
            let command = |found: &Found| found.command.as_deref().map(folded);
            assert_eq!(command(&found), command(&wide), "{} at {cols}:\n{text}", sample.name);
            assert_eq!(
                (found.approve_option, found.deny_option, found.truncated),
                (wide.approve_option, wide.deny_option, wide.truncated),
                "{} at {cols}:\n{text}",
                sample.name
            );
        }
    }
}
