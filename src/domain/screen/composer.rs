//! Finds where a person types, and whether something stands there already.

use std::ops::Range;

use super::line::{Line, Lines, Shape};
use super::menu;
use super::parts::paragraphs;
use super::phrase::{columns, fold, holds_any};
use super::region::across;
use super::rules::{ComposerShape, INTERRUPTS, Rules};

/// Rows of text that may stand below a composer.
const MOST_FOOTER: usize = 12;
/// Rows that a draft may fill.
const LONGEST_DRAFT: usize = 60;

/// The place where text goes.
#[derive(Clone, Debug)]
pub(super) struct Composer {
    /// Its first row, frame included.
    pub top: usize,
    /// Nothing a person wrote is in it.
    pub empty: bool,
    /// What stands below it, and beside it, folded.
    pub footer: Vec<String>,
}

/// The composer at the foot of the screen. With anything but its footer below, it is not the live one.
pub(super) fn find(lines: &Lines, rules: &Rules) -> Option<Composer> {
    rules.composers.iter().find_map(|shape| match shape {
        ComposerShape::Ruled => ruled(lines, rules),
        ComposerShape::Boxed => boxed(lines, rules),
        ComposerShape::Flush => flush(lines, rules),
        ComposerShape::Open => open(lines, rules),
        ComposerShape::Barred => barred(lines, rules),
        ComposerShape::Prompt => prompt(lines, rules),
    })
}

fn prompted(line: &Line, rules: &Rules) -> bool {
    let mut chars = line.text.chars();
    let first = chars.next().is_some_and(|c| rules.prompts.contains(&c));
    line.is_text() && first && chars.next().is_none_or(char::is_whitespace)
}

fn ruled(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let foot = lines.all.iter().rposition(|line| across(lines, line))?;
    let head = (foot.saturating_sub(LONGEST_DRAFT)..foot).rev().find(|at| across(lines, &lines.all[*at]))?;
    let first = (head + 1..foot).find(|at| lines.all[*at].is_text())?;
    if !prompted(&lines.all[first], rules) {
        return None;
    }
    // A status line may be drawn at the left edge; what comes after a gap is the shell's.
    let below = &lines.all[foot + 1..];
    let gap = below.iter().skip_while(|line| line.is_blank()).position(Line::is_blank).unwrap_or(below.len());
    let indented = below.iter().skip(gap).all(|line| !line.is_text() || line.start > lines.margin);
    indented.then(|| build(lines, rules, Place { top: head, draft: first..foot, below: foot + 1 })).flatten()
}

fn boxed(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let foot = lines.all.iter().rposition(|line| line.shape == Shape::Bottom && line.boxes == 0)?;
    let head = (0..foot).rev().find(|at| lines.all[*at].shape == Shape::Top && lines.all[*at].boxes == 0)?;
    let first = (head + 1..foot).find(|at| lines.all[*at].is_text())?;
    let whole = lines.all[head + 1..foot].iter().all(|line| line.boxes == 1);
    (whole && prompted(&lines.all[first], rules))
        .then(|| build(lines, rules, Place { top: head, draft: first..foot, below: foot + 1 }))
        .flatten()
}

fn flush(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let first = lines.all.iter().rposition(|line| line.is_text() && line.start <= lines.margin)?;
    if !prompted(&lines.all[first], rules) || menu::is_option(&lines.all[first], rules) {
        return None;
    }
    let end = (first..lines.all.len()).find(|at| !lines.all[*at].is_text()).unwrap_or(lines.all.len());
    build(lines, rules, Place { top: first, draft: first..end, below: end })
}

/// Rows between the line across and the prompt of an open composer.
const MOST_HINTS: usize = 4;

fn open(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let first = lines.all.iter().rposition(|line| line.boxes == 0 && prompted(line, rules))?;
    let above = first.saturating_sub(MOST_HINTS)..first;
    let head = above.rev().find(|at| lines.all[*at].shape == Shape::Rule)?;
    let end = (first..lines.all.len()).find(|at| !lines.all[*at].is_text()).unwrap_or(lines.all.len());
    build(lines, rules, Place { top: head, draft: first..end, below: end })
}

fn barred(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let foot = lines.all.iter().rposition(|line| line.shape == Shape::Bottom)?;
    let head = (0..foot).rev().take_while(|at| lines.all[*at].bar).last()?;
    // The last row names the agent and the model; it is always there.
    let model = (head..foot).rev().find(|at| lines.all[*at].is_text())?;
    build(lines, rules, Place { top: head, draft: head..model, below: foot + 1 })
}

/// `>`, `ask>`, `architect>`: the last row of the screen.
fn prompt(lines: &Lines, rules: &Rules) -> Option<Composer> {
    let last = lines.last_text()?;
    let line = &lines.all[last];
    let (word, rest) = line.text.split_once('>')?;
    let named = word.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c == ' ') && word.len() < 24;
    let typed = rest.is_empty() || rest.starts_with(' ');
    (named && typed && line.start <= lines.margin && rules.prompts.contains(&'>')).then(|| Composer {
        top: last,
        empty: rest.trim().is_empty(),
        footer: Vec::new(),
    })
}

/// Where a composer seems to be.
struct Place {
    top: usize,
    /// The rows that hold what is typed.
    draft: Range<usize>,
    /// The row after its frame.
    below: usize,
}

fn build(lines: &Lines, rules: &Rules, place: Place) -> Option<Composer> {
    let mut footer: Vec<String> = Vec::new();
    for line in lines.all[place.below..].iter().filter(|line| line.is_text()) {
        footer.push(fold(&line.text));
    }
    let shell = lines.last_text().filter(|at| *at >= place.below).is_some_and(|at| is_shell(&lines.all[at].text));
    if footer.len() > MOST_FOOTER || shell {
        return None;
    }
    let draft = &lines.all[place.draft];
    let empty = paragraphs(draft).into_iter().all(|range| is_hint(lines, rules, &draft[range], &mut footer));
    Some(Composer { top: place.top, empty, footer })
}

/// Whether rows of a composer hold nothing that a person wrote. Keys named beside them go to the footer.
fn is_hint(lines: &Lines, rules: &Rules, rows: &[Line], footer: &mut Vec<String>) -> bool {
    let mut text = String::new();
    for line in rows {
        let own = line.rest(usize::from(prompted(line, rules))).0;
        match columns(own.trim()).filter(|(_, right)| holds_any(&fold(right), INTERRUPTS)) {
            Some((left, right)) => {
                footer.push(fold(right));
                text.push_str(left);
            }
            None => text.push_str(&own),
        }
        text.push(' ');
    }
    let faint = rows.iter().all(|line| is_faint(line, usize::from(prompted(line, rules)), lines.styled));
    let text = fold(&text);
    let suggested = rules.placeholders.iter().any(|hint| match hint.strip_suffix('*') {
        Some(start) => text.starts_with(start),
        None => text == *hint,
    });
    text.is_empty() || faint || suggested && !(lines.styled && rules.faint_hints)
}

/// Faint text is a suggestion; its first character may be the cursor.
fn is_faint(line: &Line, skip: usize, styled: bool) -> bool {
    let shown = line.text.chars().zip(&line.looks).skip(skip).filter(|(c, _)| !c.is_whitespace());
    let mut seen = shown.map(|(_, look)| look).enumerate().peekable();
    styled && seen.peek().is_some() && seen.all(|(at, look)| look.dim || at == 0 && look.inverse)
}

/// The last row of a shell that waits: the agent has gone, and what it drew above is left over.
pub(super) fn is_shell(text: &str) -> bool {
    let text = text.trim_end();
    // `12%` is a share, not a prompt.
    let share = text.strip_suffix('%').is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
    let ends = text.ends_with(['$', '#', '%', '❯', '➜', 'λ', '>']) && !share;
    let host = text.split_whitespace().next().is_some_and(|word| word.contains('@') && word.contains(':'));
    ends || host
}
