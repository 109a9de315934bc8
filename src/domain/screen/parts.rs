//! Takes a dialog apart: title, question, what it would do, and the rest.

use std::ops::Range;

use super::command;
use super::line::{Line, Lines};
use super::menu::Menu;
use super::phrase::{columns, fold, holds, holds_any, opens_with};
use super::region::Region;
use super::rules::kinds::PERMISSION_WORDS;
use super::rules::{Layout, Rules};
use super::wrap::{self, Joined};

/// What a dialog says above its options.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub title: Option<String>,
    pub question: Option<String>,
    /// The question is one by its wording, not only by its place.
    pub asked: bool,
    pub body: Vec<String>,
    pub command: Option<Joined>,
    /// More of it can be scrolled to.
    pub clipped: bool,
    /// What it would do, or the beginning of that, is not on the screen.
    pub cut: bool,
}

/// Longest title without a known wording.
const LONGEST_TITLE: usize = 48;

/// Everything the region says.
pub(super) fn of(lines: &Lines, region: &Region, menu: &Menu, rules: &Rules) -> Parts {
    match rules.layout {
        Layout::Headed => headed(lines, region, rules),
        Layout::Barred => barred(lines, region, menu, rules),
        Layout::Boxed => super::boxed::parts(lines, region, menu, rules),
        Layout::Ruled => ruled(lines, region, rules),
        Layout::Loose => loose(region, rules),
    }
}

/// Runs of text rows in the same box.
pub(super) fn paragraphs(lines: &[Line]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.is_text()) {
        match found.last_mut() {
            Some(last) if last.end == at && lines[at - 1].boxes == line.boxes => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

fn asks(text: &str, rules: &Rules) -> bool {
    let marked = text.ends_with('?') || text.contains("? ") || text.ends_with(':');
    marked || opens_with(text, rules.questions) || holds_any(text, PERMISSION_WORDS)
}

/// The rows of the question: the lowest paragraph that asks; whether it does by its wording.
pub(super) fn question(lines: &[Line], rules: &Rules) -> Option<(Range<usize>, bool)> {
    let all = paragraphs(lines);
    let asking = all.iter().rev().find_map(|range| {
        let begun = (range.clone()).rev().find(|at| {
            let text = fold(&lines[*at].text);
            let fresh = *at == range.start || !wrap::flows(&lines[at - 1], &lines[*at]);
            opens_with(&text, rules.questions) && (fresh || opens_with(&text, &["do you want to"]))
        });
        let start = begun.unwrap_or(range.start);
        // What follows a question mark on a row of its own is a remark.
        let marked = |at: &usize| lines[*at].text.ends_with('?') && !wrap::flows(&lines[*at], &lines[at + 1]);
        let range = start..(start..range.end - 1).find(marked).map_or(range.end, |at| at + 1);
        asks(&fold(&wrap::sentence(&lines[range.clone()])), rules).then_some((range, true))
    });
    asking.or_else(|| all.last().map(|range| (range.clone(), false)))
}

/// A title row: a known wording, or a short paragraph of its own that ends like no sentence.
fn title(lines: &[Line], question: &Range<usize>, rules: &Rules) -> Option<(usize, String)> {
    let first = paragraphs(lines).into_iter().next().filter(|range| range.start < question.start)?;
    let text = &lines[first.start].text;
    let known = opens_with(&fold(text), rules.titles);
    let short = first.len() == 1 && text.chars().count() <= LONGEST_TITLE && !text.ends_with(['.', ':', ',']);
    (known || short).then(|| (first.start, text.clone()))
}

/// Whether a row is a strip of tabs, one a question.
pub(super) fn is_tabs(line: &Line) -> bool {
    line.text.starts_with(['←', '☐', '☒', '☑', '□']) && line.text.contains(['☐', '☒', '☑', '□'])
}

/// `←  ☐ Storage  ☐ Retention  ✔ Submit  →`: the first that is not answered.
fn tab(line: &Line) -> Option<String> {
    if !is_tabs(line) {
        return None;
    }
    let at = line.text.find('☐')?;
    let rest = line.text[at..].trim_start_matches('☐').trim();
    Some(columns(rest).map_or(rest, |(left, _)| left).trim_end_matches('→').trim().to_owned())
}

fn ruled(lines: &Lines, region: &Region, rules: &Rules) -> Parts {
    let all = region.lines;
    let Some((asked_in, asked)) = question(all, rules) else {
        return Parts::default();
    };
    let tab = all.iter().find_map(|line| tab(line).filter(|_| line.is_text()));
    let title = if tab.is_some() { None } else { title(all, &asked_in, rules) };
    let from = title.as_ref().map_or(0, |(at, _)| at + 1).min(asked_in.start);
    let words = title.as_ref().map(|(_, text)| fold(text)).unwrap_or_default();
    let mut parts = Parts {
        question: Some(wrap::sentence(&all[asked_in.clone()])),
        asked,
        title: tab.clone().or(title.map(|(_, text)| text)),
        ..Parts::default()
    };
    let mut rest = &all[from..asked_in.start];
    if opens_with(&words, &["bash command", "powershell command"]) {
        let base = all[from.saturating_sub(1)].start;
        let (found, taken) = command::described(rest, base, lines.styled);
        // PowerShell has other rules: nothing is proven from what it would run.
        let foreign = opens_with(&words, &["powershell"]);
        parts.command = found.map(|command| Joined { guessed: command.guessed || foreign, ..command });
        rest = &rest[taken..];
    }
    let rest = rest.iter().chain(&all[asked_in.end..]);
    parts.body = wrap::document(rest.filter(|line| tab.is_none() || !is_tabs(line)));
    parts
}

fn headed(lines: &Lines, region: &Region, rules: &Rules) -> Parts {
    let all = region.lines;
    let Some(first) = paragraphs(all).into_iter().next() else {
        return Parts::default();
    };
    let counted = opens_with(&fold(&all[first.start].text), rules.titles) && first.len() > 1;
    let asked_in = first.start + usize::from(counted)..first.end;
    let question = wrap::sentence(&all[asked_in]);
    let heading = if counted { all[first.start].text.clone() } else { question.clone() };
    // A folder's question is a sentence of its own, not a heading.
    let titled = counted || !opens_with(&fold(&question), &["since this folder", "do you trust", "trust this folder"]);
    let seen = !region.cut;
    // What only may be the command stays in the body, for people to read.
    let start = all[first.end..].iter().position(|line| seen && line.text.starts_with("$ "));
    let start = start.map(|at| first.end + at);
    let mut body = wrap::document(&all[first.end..start.unwrap_or(all.len())]);
    if !titled && let Some(folder) = folder_above(lines, region.first) {
        body.insert(0, folder);
    }
    let command = start.map(|at| command::prompted(&all[at..]));
    Parts {
        title: (titled && seen).then_some(heading),
        question: Some(question),
        asked: seen,
        body,
        command,
        ..Parts::default()
    }
}

/// Rows above a question about a folder in which the folder is named.
const FOLDER_ROWS: usize = 3;

fn folder_above(lines: &Lines, question: usize) -> Option<String> {
    lines.all[question.saturating_sub(FOLDER_ROWS)..question].iter().rev().find_map(|line| {
        let named = line.text.split_once("running Codex in ").map(|(_, folder)| folder);
        named.or_else(|| line.text.starts_with(['/', '~']).then_some(line.text.as_str())).map(str::to_owned)
    })
}

fn barred(lines: &Lines, region: &Region, menu: &Menu, rules: &Rules) -> Parts {
    let all = region.lines;
    let Some(first) = all.iter().position(Line::is_text) else {
        return Parts::default();
    };
    let head = &all[first];
    if opens_with(&head.text, rules.titles) {
        let title = head.text.trim_start_matches(['△', '▲', '⚠', ' ']).to_owned();
        let start = all.iter().position(|line| line.text.starts_with("$ "));
        let body = wrap::document(&all[first + 1..start.unwrap_or(all.len())]);
        let command = start.map(|at| command::prompted(&all[at..]));
        let clipped = is_clipped(lines, menu, &all[first + 1..]);
        return Parts {
            question: Some(title.clone()),
            title: Some(title),
            asked: true,
            body,
            command,
            clipped,
            cut: false,
        };
    }
    let Some((asked_in, asked)) = question(all, rules) else {
        return Parts::default();
    };
    let numbered = menu.shape == super::rules::RowShape::Numbered;
    let text = wrap::sentence(&all[asked_in.clone()]);
    let asked = asked || numbered && holds(&fold(&text), "?");
    Parts { question: Some(text), asked, body: wrap::document(&all[..asked_in.start]), ..Parts::default() }
}

/// Rows that a panel beside a bar has at most; what does not fit can be scrolled to.
const TALLEST_PANEL: usize = 15;
/// Blank rows between content that fills its window and the buttons.
const FILLED: usize = 2;

/// Whether the panel is as tall as it gets and filled to the end: then there may be more of it.
fn is_clipped(lines: &Lines, menu: &Menu, rows: &[Line]) -> bool {
    let above = lines.all[..menu.first].iter().rev().take_while(|line| line.bar).count();
    let below = lines.all[menu.first..].iter().take_while(|line| line.bar).count();
    // In a low pane it has less room: it fills all there is.
    let tall = above + below >= TALLEST_PANEL || lines.full && menu.first - above <= 1;
    let blank = rows.iter().rev().take_while(|line| line.is_blank()).count();
    tall && blank <= FILLED
}

fn loose(region: &Region, rules: &Rules) -> Parts {
    let all = region.lines;
    let Some((asked_in, asked)) = question(all, rules) else {
        return Parts::default();
    };
    // Only what stands right above the options is their question; a question further up is part of the text.
    let near = all[asked_in.end..].iter().all(|line| !line.is_text());
    Parts {
        question: Some(wrap::sentence(&all[asked_in.clone()])),
        asked: asked && near,
        body: wrap::document(&all[..asked_in.start]),
        ..Parts::default()
    }
}
