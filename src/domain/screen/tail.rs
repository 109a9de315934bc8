//! What an agent said last: the rows between a person's last message and the place for the next.

use super::line::{Line, Lines};
use super::rules::{Live, Rules};
use super::wrap;
use crate::domain::pane::TAIL_MAX;

/// The end of a turn, as far as it is on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Its rows.
    pub text: String,
    /// Its beginning is not on the screen, or was too long to keep.
    pub clipped: bool,
    /// It ends with a question in plain words.
    pub asks: bool,
}

/// The tail above the composer, which begins at `end`; nothing when there is no text.
pub(super) fn read(lines: &Lines, rules: &Rules, end: usize) -> Option<Tail> {
    let message = lines.all[..end].iter().rposition(|line| is_message(lines, rules, line));
    let from = message.map_or(0, |at| at + 1);
    let said: Vec<&Line> =
        lines.all[from..end].iter().filter(|line| line.is_text() && !is_trailer(rules, line)).collect();
    let asks = said.last().is_some_and(|line| line.text.ends_with('?'));
    let text = wrap::document(said).join("\n");
    let kept = (text.len().saturating_sub(TAIL_MAX)..=text.len()).find(|at| text.is_char_boundary(*at))?;
    let clipped = message.is_none() || kept > 0;
    (!text.is_empty()).then(|| Tail { text: text[kept..].to_owned(), clipped, asks })
}

/// A person's message in the conversation: behind the prompt's mark, or beside the bar.
fn is_message(lines: &Lines, rules: &Rules, line: &Line) -> bool {
    let marked = line.text.starts_with(rules.prompts) && line.start <= lines.margin + 1 && line.boxes == 0;
    // The chosen row of an old dialog carries the same mark.
    let option = line.text.trim_start_matches(rules.prompts).trim_start().starts_with("1.");
    line.is_text() && (marked && !option || line.bar)
}

/// `✻ Worked for 1m 12s`: what a spinner leaves behind says nothing of the turn.
fn is_trailer(rules: &Rules, line: &Line) -> bool {
    let spins = |live: &Live| matches!(live, Live::Verb(glyphs) if line.text.starts_with(*glyphs));
    rules.live.iter().any(spins) && !line.text.starts_with(['●', '⏺', '•', '*', '·'])
        || line.text.starts_with("Worked for ")
}
