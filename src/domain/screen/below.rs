//! What stands below a menu: its keys, or the proof that it is over, quoted or still being painted.

use super::composer;
use super::line::{Line, Lines, Shape};
use super::live;
use super::menu::Menu;
use super::parts::paragraphs;
use super::phrase::{fold, holds_any};
use super::region::{TALK, across};
use super::rules::{FOOTERS, Layout, RowShape, Rules};
use super::wrap;

/// Longest text that a line of keys can be.
const LONGEST_FOOTER: usize = 400;

/// The keys named below the options; nothing when what is below shows that the menu does not wait for an answer.
pub(super) fn keys(lines: &Lines, menu: &Menu, rules: &Rules) -> Option<String> {
    let below = &lines.all[menu.end..];
    let closed = below.iter().position(|line| line.shape == Shape::Bottom && line.boxes + 1 == menu.boxes);
    let painting = menu.boxes > 0 && closed.is_none();
    if painting || below.iter().any(|line| rules.layout == Layout::Ruled && across(lines, line)) {
        return None;
    }
    let mut keys = String::new();
    for range in paragraphs(below) {
        let rows = &below[range.clone()];
        let text = fold(&wrap::sentence(rows));
        let typed = |line: &Line| line.text.starts_with(rules.prompts) || line.text.starts_with(TALK);
        if rows.iter().all(|line| live::is_live(line, rules)) {
            continue;
        }
        let gone = rows.last().is_some_and(|line| composer::is_shell(&line.text));
        if gone || rows.iter().any(typed) || text.len() > LONGEST_FOOTER {
            return None;
        }
        if are_keys(rows) {
            keys.push_str(&text);
            keys.push(' ');
        } else if !passes(rows, closed.is_some_and(|at| range.start > at)) {
            return None;
        }
    }
    if menu.shape == RowShape::Buttons {
        keys.push_str(&fold(&lines.all[menu.first].text));
    }
    (!rules.footer_needed || holds_any(&keys, FOOTERS)).then_some(keys)
}

/// Words that may be left over of a line of keys; some programs break it well before the edge.
const MOST_LEFT_OVER: usize = 3;

/// Rows that name keys: each does, or is the rest of the row before.
pub(super) fn are_keys(rows: &[Line]) -> bool {
    let named = |line: &Line| holds_any(&fold(&line.text), FOOTERS);
    let joined = holds_any(&fold(&wrap::sentence(rows)), FOOTERS);
    let few = |line: &Line| line.text.split_whitespace().count() <= MOST_LEFT_OVER;
    let rest = |at: usize| wrap::flows(&rows[at - 1], &rows[at]) || few(&rows[at]);
    joined && (1..rows.len()).all(|at| named(&rows[at]) || rest(at))
}

/// Rows that may stand below an open dialog without meaning anything: notices, and the status below a closed box.
fn passes(rows: &[Line], outside: bool) -> bool {
    let notice = rows[0].text.starts_with(['⚠', 'ℹ', '…']);
    let status = |line: &Line| holds_any(&fold(&line.text), &["sandbox", "context left"]);
    notice || outside && rows.iter().all(status)
}
