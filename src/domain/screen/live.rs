//! Whether the agent is at work: a live row right above where a person types, or a key that would interrupt it.

use super::composer::Composer;
use super::line::{Line, Lines};
use super::phrase::{fold, holds_any};
use super::rules::{INTERRUPTS, Live, Rules};

/// Most words of a live row before its ellipsis or brackets.
const MOST_WORDS: usize = 14;

/// How far a live row is indented, at most; deeper rows are quoted, or what a tool printed.
const DEEPEST: usize = 2;
const DEEPEST_WORDS: usize = 5;

/// Whether something says that a turn is running. What is further up is over.
pub(super) fn works(lines: &Lines, rules: &Rules, composer: Option<&Composer>) -> bool {
    let end = composer.map_or(lines.all.len(), |composer| composer.top);
    if composer.is_some_and(|composer| composer.footer.iter().any(|row| holds_any(row, INTERRUPTS))) {
        return true;
    }
    let mut blocks = 0;
    for line in lines.all[..end].iter().rev().filter(|line| line.is_text()) {
        let depth = line.start - lines.margin.min(line.start);
        if depth <= DEEPEST && is_live(line, rules) || depth <= DEEPEST_WORDS && speaks(&fold(&line.text), rules) {
            return true;
        }
        blocks += usize::from(line.start <= lines.margin + 1 || line.boxes > 0);
        if blocks >= rules.reach {
            return false;
        }
    }
    false
}

/// Whether a row is one that only a running turn has.
pub(super) fn is_live(line: &Line, rules: &Rules) -> bool {
    let folded = fold(&line.text);
    rules.live.iter().any(|live| match live {
        Live::Verb(glyphs) => line.text.starts_with(*glyphs) && is_verb(&line.text),
        Live::Timer(glyphs) => line.text.starts_with(*glyphs) && is_timed(&folded),
        Live::Words(words) => holds_any(&folded, words),
        Live::Row(rows) => rows.contains(&folded.as_str()),
    })
}

fn speaks(folded: &str, rules: &Rules) -> bool {
    rules.live.iter().any(|live| matches!(live, Live::Words(words) if holds_any(folded, words)))
}

/// `✳ Untangling… (42s · ↓ 1.8k tokens)`; when it is over it says `✻ Worked for 42s`.
fn is_verb(text: &str) -> bool {
    let mut chars = text.chars();
    let glyph = chars.next();
    let rest = chars.as_str().trim_start();
    let Some((verb, after)) = rest.split_once('…').or_else(|| rest.split_once("...")) else {
        return false;
    };
    let words = verb.split_whitespace().count();
    let capital = verb.starts_with(|c: char| c.is_uppercase());
    let after = after.trim_start();
    // The agent's own prose begins with the same glyph as one of the spinner's frames.
    let bracketed = after.starts_with('(') && after.contains(|c: char| c.is_ascii_digit() || c == 'e');
    let plain = !matches!(glyph, Some('●' | '⏺' | '*' | '·')) || words == 1 && verb.trim_end().ends_with("ing");
    capital && words <= MOST_WORDS && (bracketed || after.is_empty() && plain)
}

/// `• Anything (1m 16s • esc to interrupt)`: a time or a key that interrupts, in brackets.
fn is_timed(folded: &str) -> bool {
    let Some((label, inside)) = folded.split_once('(').and_then(|(label, rest)| Some((label, rest.split_once(')')?.0)))
    else {
        return false;
    };
    let mut pieces = inside.split(['•', '·']).map(str::trim);
    let time = pieces.clone().next().is_some_and(is_time);
    label.split_whitespace().count() <= MOST_WORDS && (time || pieces.any(|piece| piece.ends_with("to interrupt")))
}

fn is_time(text: &str) -> bool {
    let unit = |word: &str| {
        word.strip_suffix(['s', 'm', 'h']).is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    !text.is_empty() && text.split_whitespace().all(unit)
}
