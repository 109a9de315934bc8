//! Screens in the manner of Claude Code: dialogs under a line across, the composer between two.

use super::paint::{between_dashes, call, composer, indented, options};
use super::play::Play;
use super::rows::{Row, marked, rule};
use super::scene::{Asking, Prompt, Rest};
use super::script::{Ask, Choice, Limit, Plan};

const GLYPHS: [char; 4] = ['✢', '✳', '✶', '✽'];
const MARK: &str = " ❯ ";

/// A running turn, with the composer that stays on the screen.
pub(super) fn working(play: &Play, cols: usize, ms: u64) -> Vec<Row> {
    let glyph = GLYPHS[usize::try_from(ms / 500).unwrap_or_default() % GLYPHS.len()];
    let mut rows = vec![Row::default(), Row::plain(format!("{glyph} Untangling… ({}s)", ms / 1000)), Row::default()];
    rows.extend(framed(play, None, cols));
    rows.push(Row::plain("  esc to interrupt"));
    rows
}

/// At rest.
pub(super) fn idle(play: &Play, rest: &Rest, cols: usize) -> Vec<Row> {
    let mut rows = vec![Row::default()];
    if rest.survey {
        rows.extend(marked("● ", "How is Claude doing this session? (optional)", cols).into_iter().map(Row::plain));
        rows.extend(indented("1: Bad    2: Fine   3: Good   0: Dismiss", 2, cols));
        rows.push(Row::default());
    }
    rows.extend(framed(play, Some(rest), cols));
    rows.push(Row::plain("  ? for shortcuts"));
    rows
}

fn framed(play: &Play, rest: Option<&Rest>, cols: usize) -> Vec<Row> {
    let mut rows = vec![rule('─', cols)];
    rows.extend(composer("❯\u{a0}", &play.draft, rest, cols));
    rows.push(rule('─', cols));
    rows
}

/// A dialog in place of the composer.
pub(super) fn dialog(asking: &Asking, cols: usize) -> Vec<Row> {
    match &asking.prompt {
        Prompt::Ask(ask) => permission(asking, ask, cols),
        Prompt::Choice(about) => choice(asking, about, cols),
        Prompt::Plan(about) => plan(asking, about, cols),
        Prompt::Limit(about) => limit(asking, about, cols),
    }
}

fn permission(asking: &Asking, ask: &Ask, cols: usize) -> Vec<Row> {
    let mut rows = vec![Row::default()];
    rows.extend(marked("● ", &call(ask), cols).into_iter().map(Row::plain));
    rows.extend([Row::default(), rule('─', cols), Row::plain(format!(" {}", ask.title))]);
    if let Some(file) = &ask.file {
        rows.extend(indented(file, 1, cols));
    }
    match &ask.diff {
        Some(diff) => rows.extend(between_dashes(diff, cols)),
        None => rows.extend(subject(ask, cols)),
    }
    rows.extend(indented(ask.question.as_deref().unwrap_or("Do you want to proceed?"), 1, cols));
    rows.extend(options(asking, MARK, cols, |_| None));
    let footer = ask.footer.as_deref().unwrap_or("Esc to cancel · Tab to amend");
    if !footer.is_empty() {
        rows.push(Row::default());
        rows.extend(indented(footer, 1, cols));
    }
    rows
}

fn subject(ask: &Ask, cols: usize) -> Vec<Row> {
    let mut rows = vec![Row::default()];
    rows.extend([&ask.command, &ask.body].into_iter().flatten().flat_map(|text| indented(text, 3, cols)));
    rows.extend(ask.description.iter().flat_map(|text| marked("   ", text, cols)).map(Row::dim));
    rows.push(Row::default());
    rows
}

fn choice(asking: &Asking, choice: &Choice, cols: usize) -> Vec<Row> {
    let strip = format!("←  ☐ {}  ✔ Submit  →", choice.tab);
    let mut rows = vec![Row::default(), rule('─', cols), Row::plain(strip), Row::default()];
    rows.extend(indented(&choice.question, 0, cols));
    rows.push(Row::default());
    let about = |at: usize| choice.options.get(at).and_then(|option| option.about.clone());
    rows.extend(options(asking, "❯ ", cols, about));
    rows.push(Row::default());
    rows.extend(indented("Enter to select · Tab/Arrow keys to navigate · Esc to cancel", 0, cols));
    rows
}

fn plan(asking: &Asking, plan: &Plan, cols: usize) -> Vec<Row> {
    let mut rows = vec![Row::default(), rule('─', cols), Row::plain(" Ready to code?"), Row::default()];
    rows.push(Row::plain(" Here is Claude's plan:"));
    rows.extend(between_dashes(&plan.body, cols));
    rows.push(Row::default());
    let question = "Claude has written up a plan and is ready to execute. Would you like to proceed?";
    rows.extend(indented(question, 1, cols));
    rows.push(Row::default());
    rows.extend(options(asking, MARK, cols, |_| None));
    rows.push(Row::default());
    rows.extend(indented("ctrl+g to edit in vim", 1, cols));
    rows
}

fn limit(asking: &Asking, limit: &Limit, cols: usize) -> Vec<Row> {
    let banner = format!("You've hit your session limit · resets {}", limit.resets);
    let mut rows: Vec<Row> = marked("  ⎿  ", &banner, cols).into_iter().map(Row::plain).collect();
    rows.extend([Row::default(), rule('─', cols), Row::plain(" What do you want to do?"), Row::default()]);
    rows.extend(options(asking, MARK, cols, |_| None));
    rows.push(Row::default());
    rows.extend(indented("Enter to confirm · Esc to cancel", 1, cols));
    rows
}
