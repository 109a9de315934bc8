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
    // In a narrow pane the keys are broken over two rows, below the composer and above it.
    if composer.is_some_and(|composer| holds_any(&composer.footer.join(" "), INTERRUPTS)) {
        return true;
    }
    let mut blocks = 0;
    for (at, line) in lines.all[..end].iter().enumerate().rev().filter(|(_, line)| line.is_text()) {
        let depth = line.start - lines.margin.min(line.start);
        let next = lines.all[at + 1..end].first().filter(|next| next.is_text());
        let joined = next.map_or(line.text.clone(), |next| format!("{} {}", line.text, next.text));
        if depth <= DEEPEST && is_live(line, rules) || depth <= DEEPEST_WORDS && speaks(&fold(&joined), rules) {
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
        Live::Timer(glyphs) => line.text.starts_with(*glyphs) && (is_timed(&folded) || is_clipped(line)),
        Live::Words(_) => speaks(&folded, rules),
        Live::Row(rows) => rows.contains(&folded.as_str()),
    })
}

/// What begins with this sign is what Gemini says, never what it does.
const SPEECH: char = '✦';

fn speaks(folded: &str, rules: &Rules) -> bool {
    !folded.starts_with(SPEECH)
        && rules.live.iter().any(|live| matches!(live, Live::Words(words) if holds_any(folded, words)))
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
    let Some((label, rest)) = folded.split_once('(') else {
        return false;
    };
    // In a narrow pane the end is on the next row, or nowhere.
    let inside = rest.split_once(')').map_or(rest, |(inside, _)| inside);
    let mut pieces = inside.split(['•', '·']).map(str::trim);
    let time = pieces.clone().next().is_some_and(is_time);
    label.split_whitespace().count() <= MOST_WORDS && (time || pieces.any(|piece| piece.ends_with("to interrupt")))
}

/// Columns that a program may leave free behind a row that it cut off.
const FREE: usize = 4;

/// Whether the end of a row, where the time would be, was cut off at the edge.
fn is_clipped(line: &Line) -> bool {
    line.text.ends_with('…') && line.end + FREE >= line.edge
}

fn is_time(text: &str) -> bool {
    let unit = |word: &str| {
        word.strip_suffix(['s', 'm', 'h']).is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    !text.is_empty() && text.split_whitespace().all(unit)
}
