//! Takes a boxed dialog apart: a head, an inner box with what would be done, a question.

use super::command;
use super::line::{Line, Lines, Shape};
use super::menu::Menu;
use super::parts::{Parts, question};
use super::phrase::{columns, fold, opens_with};
use super::region::Region;
use super::rules::Rules;
use super::wrap::{self, Joined};

/// Title, question and content of a dialog inside a box.
pub(super) fn parts(lines: &Lines, region: &Region, menu: &Menu, rules: &Rules) -> Parts {
    let outer: Vec<Line> = region.lines.iter().map(|line| outside(line, menu.boxes)).collect();
    let Some((asked_in, asked)) = question(&outer, rules) else {
        return Parts::default();
    };
    let text = wrap::sentence(&outer[asked_in.clone()]);
    let (title, head) = head(&outer, asked_in.start, rules);
    let mut parts = Parts { question: Some(text), asked, ..Parts::default() };
    let inner: Vec<&Line> = region.lines.iter().filter(|line| line.boxes > menu.boxes).collect();
    let beside = box_above(lines, region);
    let runs = holds_command(&parts, title.as_deref());
    parts.cut = inner.is_empty() && (beside.open || rules.content_above && beside.lines.is_empty());
    // What stands in a box of its own inside lost its bars when it was read.
    parts.cut |= beside.lines.iter().any(|line| line.boxes > menu.boxes);
    let shown: Vec<&Line> = if inner.is_empty() { beside.lines } else { inner };
    if runs && shown.iter().any(|line| line.is_text()) {
        let found = command_in(&shown);
        let elsewhere = head.as_deref().is_some_and(names_folder);
        parts.command = Some(Joined { guessed: found.guessed || elsewhere, ..found });
    } else {
        parts.body.extend(head.clone());
        parts.body.extend(wrap::document(shown));
    }
    let taken = outer.iter().position(Line::is_text).map_or(0, |at| at + usize::from(title.is_some()));
    let between = &outer[taken.min(asked_in.start)..asked_in.start];
    parts.body.extend(wrap::document(between.iter().chain(&outer[asked_in.end..])));
    // A dialog that opens with its question has no other title.
    parts.title = title.or_else(|| (asked_in.start == 0 && asked).then(|| parts.question.clone()).flatten());
    parts
}

/// The row as the dialog's own box sees it: what is in a box inside is blank.
fn outside(line: &Line, boxes: usize) -> Line {
    let mut line = line.clone();
    if line.boxes > boxes || line.is_frame() {
        line.shape = Shape::Blank;
        line.text.clear();
    }
    line
}

/// `? Shell  cargo test`: the tool and what stands beside it; else the first row, when the question is not that.
fn head(outer: &[Line], question: usize, rules: &Rules) -> (Option<String>, Option<String>) {
    let Some(line) = outer[..question].iter().find(|line| line.is_text()) else {
        return (None, None);
    };
    if !line.text.starts_with('?') || !rules.titles.contains(&"?") {
        return (Some(line.text.clone()), None);
    }
    let text = line.text.trim_start_matches('?').trim();
    match columns(text) {
        Some((tool, rest)) => (Some(tool.to_owned()), Some(rest.split(":  ").next().unwrap_or(rest).to_owned())),
        // In a narrow pane one blank is all that is between; a server's name in brackets belongs to the tool.
        None => match text.split_once(' ').filter(|(_, rest)| !rest.starts_with('(')) {
            Some((tool, rest)) => (Some(tool.to_owned()), Some(rest.to_owned())),
            None => (Some(text.to_owned()), None),
        },
    }
}

fn holds_command(parts: &Parts, title: Option<&str>) -> bool {
    let question = parts.question.as_deref().map(fold).unwrap_or_default();
    let tool = title.map(fold).unwrap_or_default();
    question.contains("this command") || opens_with(&tool, &["shell", "run_shell_command", "bash"])
}

/// A box that ends right above this one, where Cursor draws the command.
#[derive(Default)]
struct Beside<'a> {
    lines: Vec<&'a Line>,
    /// Its beginning is above the screen.
    open: bool,
}

fn box_above<'a>(lines: &'a Lines, region: &Region) -> Beside<'a> {
    let Some(bottom) = region.first.checked_sub(2).filter(|at| lines.all[*at].shape == Shape::Bottom) else {
        return Beside::default();
    };
    let level = lines.all[bottom].boxes;
    let top = (0..bottom).rev().find(|at| lines.all[*at].shape == Shape::Top && lines.all[*at].boxes == level);
    let from = top.map_or(0, |top| top + 1);
    Beside { lines: lines.all[from..bottom].iter().collect(), open: top.is_none() }
}

/// Gemini writes the folder of a command behind it, `[in docs]`, and cuts the row off where it is full.
fn names_folder(head: &str) -> bool {
    head.contains("[in ") || head.contains('…')
}

fn command_in(lines: &[&Line]) -> Joined {
    let mut found = wrap::text(lines.iter().copied());
    if let Some(rest) = found.text.strip_prefix("$ ") {
        let (text, here) = command::without_place(rest);
        found = Joined { text: text.to_owned(), guessed: found.guessed || !here };
    }
    found
}
