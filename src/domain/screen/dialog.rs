//! Puts a dialog together from its menu and what stands around it, or says why there is none.

use super::below;
use super::choose;
use super::drawn;
use super::kind::{self, Clues};
use super::limit;
use super::line::{Line, Lines};
use super::menu::{self, Choice, Menu};
use super::parts::{self, Parts};
use super::phrase::{columns, fold, holds_any, squeeze};
use super::region::{self, Region};
use super::rules::{Layout, Rules};
use super::{Found, Offer, wrap};
use crate::domain::dialog::DialogKind;

/// What the lowest menu on the screen turned out to be.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A dialog that waits for an answer.
    Open(Box<Found>),
    /// A menu at the foot of the screen that no rule knows.
    Unknown(String),
    /// Nothing to choose from, or something that is over, quoted or half painted.
    None,
}

/// Rows of an unknown menu that are noted.
const NOTED_ROWS: usize = 14;
const NOTED_ABOVE: usize = 4;

/// Reads the lowest menu.
pub(super) fn find(lines: &Lines, rules: &Rules) -> Outcome {
    let Some(menu) = menu::lowest(lines, rules) else {
        return Outcome::None;
    };
    let Some(footer) = below::keys(lines, &menu, rules) else {
        return Outcome::None;
    };
    let Some(region) = region::above(lines, &menu, rules) else {
        return Outcome::Unknown(excerpt(lines, &menu));
    };
    let parts = parts::of(lines, &region, &menu, rules);
    let clues = Clues {
        agent: rules.agent,
        title: parts.title.as_deref().unwrap_or_default(),
        question: parts.question.as_deref().unwrap_or_default(),
        asked: parts.asked,
        // A label that was broken at the edge counts whole, and so does the description beside it.
        labels: menu.choices.iter().map(|choice| text_of(lines, choice, DialogKind::Decision).0).collect(),
        footer: &footer,
        tabs: region.lines.iter().find(|line| line.is_text()).is_some_and(parts::is_tabs),
        marked: menu.choices.iter().any(|choice| choice.selected),
    };
    match kind::of(&clues) {
        Some(kind) => Outcome::Open(Box::new(assemble(lines, rules, Read { menu: &menu, region, parts, kind }))),
        None if clues.asked && !clues.marked => Outcome::None,
        None => Outcome::Unknown(excerpt(lines, &menu)),
    }
}

fn excerpt(lines: &Lines, menu: &Menu) -> String {
    let from = menu.first.saturating_sub(NOTED_ABOVE);
    let to = (from + NOTED_ROWS).min(lines.all.len());
    lines.all[from..to].iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A menu whose sort is known, and all that was read of it.
struct Read<'a> {
    menu: &'a Menu,
    region: Region<'a>,
    parts: Parts,
    kind: DialogKind,
}

fn assemble(lines: &Lines, rules: &Rules, read: Read) -> Found {
    let Read { menu, region, mut parts, kind } = read;
    let prompt = choose::Prompt { agent: rules.agent, kind, kept: rules.trust_is_kept };
    let asks = [&parts.title, &parts.question];
    let for_good = kind == DialogKind::Permission && asks.into_iter().flatten().any(|text| choose::asks_for_good(text));
    let mut options = Vec::with_capacity(menu.choices.len());
    for choice in &menu.choices {
        let (text, description) = text_of(lines, choice, kind);
        let standing = prompt.stands(&text) || for_good && choose::positive(rules.agent, &text);
        if let Some(description) = description {
            parts.body.push(format!("{text}: {description}"));
        }
        options.push(Offer { n: choice.n, text, standing, selected: choice.selected });
    }
    if kind == DialogKind::UsageLimit
        && let Some(banner) = limit::banner(&lines.all[..menu.first])
    {
        parts.body.insert(0, banner);
    }
    let asked = parts.question.filter(|_| parts.asked || kind != DialogKind::Trust);
    let question =
        asked.unwrap_or_else(|| if kind == DialogKind::Trust { TRUST_QUESTION.to_owned() } else { String::new() });
    let judged = match kind {
        DialogKind::Permission | DialogKind::Plan => true,
        DialogKind::Trust => !rules.trust_is_kept,
        DialogKind::Decision | DialogKind::UsageLimit | DialogKind::Login => false,
    };
    let missing = parts.command.is_none() && (names_command(parts.title.as_deref()) || names_command(Some(&question)));
    // What stands between two bars inside lost them when it was read, and may be a part of the command.
    let inner = menu.boxes + usize::from(rules.layout == Layout::Boxed);
    let framed = parts.command.is_some() && region.lines.iter().any(|line| line.boxes > inner);
    let unseen =
        judged && (region.cut || region.doubtful || framed || missing || parts.cut && kind == DialogKind::Permission);
    let command = parts.command.map(|command| (command.text, command.guessed));
    let body = parts.body.join("\n");
    let texts = body.lines().chain(command.iter().flat_map(|(text, _)| text.lines()));
    let folded = judged && texts.into_iter().any(is_folded);
    let drawn = drawn::above(lines, &region, rules.agent);
    let elsewhere = drawn.as_ref().is_some_and(|drawn| !drawn.whole);
    let mut found = Found {
        kind,
        title: parts.title,
        question,
        joined: command.as_ref().is_some_and(|(_, guessed)| *guessed),
        command: command.map(|(text, _)| text),
        body: (!body.trim().is_empty()).then_some(body),
        context: drawn.map(|drawn| drawn.text),
        options,
        shape: menu.shape,
        approve_option: None,
        deny_option: None,
        truncated: unseen || folded || elsewhere || parts.clipped || region.lines.iter().any(|line| line.cut),
    };
    found.pick(prompt, !unseen);
    found
}

/// Whether a title or question speaks of a command, which then must be on the screen.
fn names_command(text: Option<&str>) -> bool {
    let text = text.map(fold).unwrap_or_default();
    holds_any(&text, &["this command", "following command", "bash command", "shell command"])
}

/// What a trust prompt asks when it shows no question of its own.
const TRUST_QUESTION: &str = "Do you trust this folder?";

/// The text of an option, rows put together, and in a choice the description below it.
fn text_of(lines: &Lines, choice: &Choice, kind: DialogKind) -> (String, Option<String>) {
    let rows: Vec<&Line> = choice.more.iter().map(|at| &lines.all[*at]).filter(|line| !is_submit(line)).collect();
    let split = columns(&choice.label);
    let mut text = split.map_or_else(|| squeeze(&choice.label), |(left, right)| format!("{left} — {}", squeeze(right)));
    let mut before = &lines.all[choice.line];
    let mut own = 0;
    for row in &rows {
        if kind == DialogKind::Decision && split.is_none() && !wrap::flows(before, row) {
            break;
        }
        let start = if own == 0 { choice.column } else { before.start };
        if !wrap::breaks_word(before, start, row) {
            text.push(' ');
        }
        text.push_str(&squeeze(&row.text));
        (before, own) = (row, own + 1);
    }
    let description = wrap::sentence(rows[own..].iter().copied());
    (text, Some(description).filter(|text| !text.is_empty()))
}

/// The row that hands in a choice of several; it is no option of its own.
fn is_submit(line: &Line) -> bool {
    matches!(line.text.as_str(), "Submit" | "Next")
}

/// Whether a row says that the program left something out.
fn is_folded(row: &str) -> bool {
    let text = fold(row);
    let counted = |words: &[&str]| text.chars().any(|c| c.is_ascii_digit()) && holds_any(&text, words);
    text.ends_with('…')
        || text.starts_with(['…', '⋮'])
        || text.starts_with("[…")
        || holds_any(&text, &["view all"])
        || text == "..."
        || text.starts_with("... ")
        || holds_any(&text, &["hidden (ctrl+o)", "(ctrl+o to expand)", "(truncated)"])
        || text.starts_with('+') && counted(&["lines", "more lines"])
        || counted(&["lines hidden", "more lines", "lines omitted", "lines not shown"])
}
