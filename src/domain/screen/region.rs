//! What belongs to a dialog: the rows between where it begins and its options.

use super::line::{Line, Lines, Shape};
use super::menu::Menu;
use super::parts;
use super::phrase::{fold, opens_with};
use super::rules::{Layout, Rules};

/// Rows looked at above options that nothing sets off.
const LOOSE_ROWS: usize = 12;

/// The rows of a dialog above its options.
#[derive(Clone, Debug)]
pub(super) struct Region<'a> {
    pub lines: &'a [Line],
    /// Where they stand on the screen.
    pub first: usize,
    /// Its beginning is above the screen.
    pub cut: bool,
    /// Two places could be its beginning; a text inside may imitate it.
    pub doubtful: bool,
}

/// Where a dialog begins, as far as it can be told.
struct Start {
    first: usize,
    cut: bool,
    doubtful: bool,
}

impl Start {
    /// It is on the screen, and nothing else can be it.
    const fn at(first: usize) -> Self {
        Self { first, cut: false, doubtful: false }
    }

    /// It is above the screen; what is left of the dialog begins here.
    const fn above(first: usize) -> Self {
        Self { first, cut: true, doubtful: false }
    }
}

/// The dialog's rows, or nothing when the options stand in the middle of other output.
pub(super) fn above<'a>(lines: &'a Lines, menu: &Menu, rules: &Rules) -> Option<Region<'a>> {
    let Start { first, cut, doubtful } = match rules.layout {
        _ if menu.boxes > 0 && rules.layout != Layout::Barred => boxed(lines, menu),
        Layout::Ruled => ruled(lines, menu)?,
        // Without its box the dialog is not whole: it is shown to people, nothing in it can be approved.
        Layout::Boxed => Start { first: loose(lines, menu), cut: true, doubtful: true },
        Layout::Headed => headed(lines, menu, rules)?,
        Layout::Barred => barred(lines, menu, rules)?,
        Layout::Loose => Start::at(loose(lines, menu)),
    };
    Some(Region { lines: &lines.all[first..menu.first], first, cut, doubtful })
}

fn boxed(lines: &Lines, menu: &Menu) -> Start {
    for at in (0..menu.first).rev() {
        let line = &lines.all[at];
        if line.shape == Shape::Top && line.boxes + 1 == menu.boxes {
            return Start::at(at + 1);
        }
        if line.boxes < menu.boxes {
            return Start::above(at + 1);
        }
    }
    Start::above(0)
}

/// Whether a solid line runs across the whole pane; one that is indented is part of a text.
pub(super) fn across(lines: &Lines, line: &Line) -> bool {
    line.shape == Shape::Rule && line.start == lines.margin && (line.end - line.start) * 10 >= lines.cols * 9
}

/// Rows of the conversation begin at the left edge with one of these.
pub(super) const TALK: &[char] = &['●', '⏺', '⎿', '❯', '>', '•', '◦', '✻', '✦', '✔', '■'];

/// Under a rule. Options below talk, with no rule between, are a text that looks like a dialog.
fn ruled(lines: &Lines, menu: &Menu) -> Option<Start> {
    // What a dialog says stands further in than its rule; a line as far in is part of the text. Only tabs do not.
    let inset = menu.choices.iter().map(|choice| lines.all[choice.line].start).min().unwrap_or_default();
    for at in (0..menu.first).rev() {
        let line = &lines.all[at];
        let tabs = || lines.all[at + 1..menu.first].iter().find(|line| line.is_text()).is_some_and(parts::is_tabs);
        if across(lines, line) && (line.start < inset || tabs()) {
            return Some(Start::at(at + 1));
        }
        let option = line.text.trim_start_matches(TALK).trim_start().starts_with(|c: char| c.is_ascii_digit());
        if line.is_text() && line.start <= lines.margin && line.text.starts_with(TALK) && !option {
            return None;
        }
    }
    Some(Start::above(0))
}

/// Under its question. Everything below the last row at the left edge is looked at, since a command may hold rows that
/// imitate the question; when more than one row can be it, nothing is certain.
fn headed(lines: &Lines, menu: &Menu, rules: &Rules) -> Option<Start> {
    let footer = lines.all[menu.end..].iter().find(|line| line.is_text());
    let inset = footer.map_or(lines.margin + 2, |line| line.start);
    let outside = |line: &Line| line.is_text() && line.start < inset;
    let edge = (0..menu.first).rev().find(|at| outside(&lines.all[*at]));
    let opens = |at: &usize| {
        let text = fold(&lines.all[*at].text);
        let fresh = *at == 0 || !lines.all[at - 1].is_text() || outside(&lines.all[at - 1]);
        let known = opens_with(&text, rules.questions) || opens_with(&text, rules.titles);
        lines.all[*at].is_text() && fresh && (known || text.ends_with("needs your approval."))
    };
    let from = edge.map_or(0, |at| at + 1);
    let found: Vec<usize> = (from..menu.first).filter(opens).collect();
    let commands = (from..menu.first).filter(|at| lines.all[*at].text.starts_with("$ ")).count();
    // On a filled screen with nothing at the left edge the true question may have left it at the top.
    let cut = edge.is_none() && lines.filled;
    match found[..] {
        [first, ..] => Some(Start { first, cut, doubtful: found.len() > 1 || commands > 1 }),
        [] if edge.is_none() => Some(Start::above(0)),
        [] => None,
    }
}

fn barred(lines: &Lines, menu: &Menu, rules: &Rules) -> Option<Start> {
    let bar = |at: &usize| lines.all[*at].bar;
    if !lines.all[menu.first].bar {
        return None;
    }
    let first = (0..menu.first).rev().take_while(bar).last().unwrap_or(menu.first);
    let mut titles = (first..menu.first).filter(|at| opens_with(&lines.all[*at].text, rules.titles));
    let commands = (first..menu.first).filter(|at| lines.all[*at].text.starts_with("$ ")).count();
    match titles.next() {
        // A panel from the first row of a filled screen on may have begun above it.
        Some(at) => {
            let doubtful = commands > 1 || titles.next().is_some();
            Some(Start { first: at, cut: first == 0 && lines.filled, doubtful })
        }
        None => Some(Start { first, cut: first == 0, doubtful: false }),
    }
}

/// What nothing sets off: the last rows above, up to the second gap.
fn loose(lines: &Lines, menu: &Menu) -> usize {
    let mut gaps = 0;
    let mut first = menu.first;
    for at in (menu.first.saturating_sub(LOOSE_ROWS)..menu.first).rev() {
        let line = &lines.all[at];
        gaps += usize::from(line.is_blank() && !lines.all[at + 1].is_blank());
        if line.is_frame() || gaps > 2 {
            break;
        }
        first = at;
    }
    first
}
