//! Puts together what a program broke into several rows because the pane is narrow.

use unicode_width::UnicodeWidthStr;

use super::line::Line;
use super::phrase::squeeze;

/// How far from the edge a program may have broken a row; in a box the edge is drawn, elsewhere margins are guessed.
const SLACK: usize = 4;
const SLACK_IN_BOX: usize = 2;

/// A column narrower than this is too narrow to tell a broken word from two.
const NARROWEST: usize = 12;

/// Text put together from rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Joined {
    pub text: String,
    /// A row's end was taken for a break by the program. It may as well have been a newline of the text's own, so
    /// nothing may be proven from a command that was put together.
    pub guessed: bool,
}

/// Whether the next row can go on with this one's sentence: its first word would not have fitted here.
pub(super) fn flows(line: &Line, next: &Line) -> bool {
    let word = next.text.split_whitespace().next().map_or(0, UnicodeWidthStr::width);
    line.end + 1 + word > line.edge.saturating_sub(slack(line))
}

fn slack(line: &Line) -> usize {
    if line.boxes > 0 { SLACK_IN_BOX } else { SLACK }
}

/// Whether a word that begins at or behind `start` was broken in two: together the pieces are longer than a row, and the first ends at the edge.
pub(super) fn breaks_word(line: &Line, start: usize, next: &Line) -> bool {
    let last = line.text.split_whitespace().next_back().map_or(0, UnicodeWidthStr::width);
    let first = next.text.split_whitespace().next().map_or(0, UnicodeWidthStr::width);
    let room = line.edge.saturating_sub(start + slack(line));
    room >= NARROWEST && last + first > room && line.end + slack(line) >= line.edge && next.start == start
}

/// A sentence: all rows in one line.
pub(super) fn sentence<'a>(lines: impl IntoIterator<Item = &'a Line>) -> String {
    let rows: Vec<&str> = lines.into_iter().map(|line| line.text.as_str()).collect();
    squeeze(&rows.join(" "))
}

/// Text with its own line ends: rows are put together only where the program must have broken them.
///
/// A row that looks like a frame is a row of the text: a command may hold `────; rm -r x; ────`.
pub(super) fn text<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Joined {
    let lines: Vec<&Line> = lines.into_iter().collect();
    let from = lines.iter().position(|line| !line.is_blank()).unwrap_or(lines.len());
    let to = lines.iter().rposition(|line| !line.is_blank()).map_or(from, |last| last + 1);
    let base = lines[from..to].iter().filter(|line| !line.is_blank()).map(|line| line.start).min().unwrap_or_default();
    let mut joined = Joined::default();
    let mut before: Option<&Line> = None;
    for line in &lines[from..to] {
        match before {
            Some(last) if last.is_text() && line.is_text() && breaks_word(last, last.start, line) => {
                joined.guessed = true;
            }
            Some(last) if last.is_text() && line.is_text() && flows(last, line) => {
                joined.guessed = true;
                joined.text.push(' ');
            }
            Some(_) => {
                joined.text.push('\n');
                joined
                    .text
                    .extend(std::iter::repeat_n(' ', line.start.saturating_sub(base) * usize::from(!line.is_blank())));
            }
            None => {}
        }
        joined.text.push_str(&line.text);
        before = Some(line);
    }
    joined
}

/// Rows of a document: one a row, indentation kept. Frames are left out, but not what somebody wrote into one.
pub(super) fn document<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<String> {
    let lines: Vec<&Line> = lines.into_iter().filter(|line| line.says()).collect();
    let base = lines.iter().map(|line| line.start).min().unwrap_or_default();
    lines.iter().map(|line| format!("{}{}", " ".repeat(line.start - base), line.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::grid::Screen;
    use super::super::line::Lines;
    use super::super::{AgentKind, rules};
    use super::*;

    fn joined(text: &str, cols: usize) -> Joined {
        super::text(&Lines::of(&Screen::plain(text, cols), rules::of(AgentKind::Claude)).all)
    }

    #[test]
    fn rows_are_joined_only_where_the_next_word_would_not_have_fitted() {
        let long = joined("   docker run --rm -v /srv/a:/src\n   ghcr.example/image:1 sh", 48);
        assert_eq!(long.text, "docker run --rm -v /srv/a:/src ghcr.example/image:1 sh");
        assert!(long.guessed);
        let short = joined("   set -e\n   cargo test", 48);
        assert_eq!(short.text, "set -e\ncargo test");
        assert!(!short.guessed);
    }

    #[test]
    fn a_word_longer_than_a_row_stays_one_word() {
        let word = "x".repeat(60);
        let (left, right) = word.split_at(44);
        assert_eq!(joined(&format!("  {left}\n  {right}"), 48).text, word);
    }
}
