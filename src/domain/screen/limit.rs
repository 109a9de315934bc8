//! The provider's usage limit: a banner that says that nothing goes on before a reset.

use super::line::{Line, Lines};
use super::phrase::{fold, holds, opens_with};
use super::rules::Rules;

/// How the banner begins. A sentence about limits in a conversation begins otherwise.
const BANNERS: &[&str] = &[
    "you've hit your",
    "you have hit your",
    "you've reached your",
    "you have reached your",
    "usage limit reached",
    "claude usage limit reached",
    "claude ai usage limit reached",
    "session limit reached",
    "weekly limit reached",
    "5-hour limit reached",
    "opus limit reached",
    "rate limit reached",
];
/// What stands in front of a banner.
const GLYPHS: &[char] = &['⎿', '└', '■', '⚠', '●', '•', '✗', '✕', '!', '┃', ' '];
/// Rows above the composer in which a banner is still news.
const NEAR: usize = 6;

/// A limit that stops the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// When it ends, in the program's words.
    pub resets: Option<String>,
}

/// The lowest banner in the rows, as it stands.
pub(super) fn banner(rows: &[Line]) -> Option<String> {
    rows.iter().rev().filter(|line| line.is_text()).find_map(said)
}

fn said(line: &Line) -> Option<String> {
    names_limit(&line.text).then(|| line.text.trim_start_matches(GLYPHS).to_owned())
}

/// Whether a row is the banner.
pub fn names_limit(row: &str) -> bool {
    let folded = fold(row.trim_start_matches(GLYPHS));
    let spoken = row.starts_with(['●', '•']);
    let banner = opens_with(&folded, BANNERS) && holds(&folded, "limit");
    banner && (!spoken || holds(&folded, "resets"))
}

/// The limit that a banner right above the composer, or at the foot of the screen, speaks of.
pub(super) fn read(lines: &Lines, rules: &Rules, end: usize) -> Option<Limit> {
    let near = lines.all[..end].iter().rev().filter(|line| line.is_text()).take(NEAR);
    // What a person wrote after it shows that it is over.
    let later = |line: &&Line| !(line.start <= lines.margin + 1 && line.text.starts_with(rules.prompts));
    let text = near.take_while(later).find_map(said)?;
    Some(Limit { resets: resets(&text) })
}

fn resets(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let at = lower
        .find("resets ")
        .map(|at| at + "resets ".len())
        .or_else(|| lower.find("try again at ").map(|at| at + 13))?;
    let rest = text[at..].trim().trim_end_matches('.');
    (!rest.is_empty()).then(|| rest.to_owned())
}
