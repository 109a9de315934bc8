//! One row without its frame: where its text starts, what borders it had, and what the row is.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::grid::{Row, Screen, Style};
use super::rules::{Rules, Sidebar};

/// More rows than any pane has; above it only the lowest count, so that reading stays quick.
const MOST_ROWS: usize = 400;
/// More columns than any pane has; what is beyond is not read, and the row says so.
const MOST_COLS: usize = 1000;
/// Fewer rows are no pane but a piece of one, of which nothing says where it begins.
const SMALLEST_PANE: usize = 6;
/// A run of horizontals this long divides; a shorter one is text.
const SHORTEST_RULE: usize = 8;

const SIDES: &[char] = &['│', '┃', '║', '┆', '┊', '╎', '╏'];
const TOP_LEFT: &[char] = &['╭', '┌', '┏', '╔', '╒', '╓'];
const TOP_RIGHT: &[char] = &['╮', '┐', '┓', '╗', '╕', '╖'];
const BOTTOM_LEFT: &[char] = &['╰', '└', '┗', '╚', '╘', '╙', '╹'];
const DASHES: &[char] = &['╌', '╍', '┄', '┅', '┈', '┉'];
const SOLID: &[char] = &['─', '━', '═', '▀', '▄', '▔', '▁', '‾'];

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Blank,
    Text,
    /// A solid line across.
    Rule,
    /// A dashed line across: it sets off a part of a dialog, never begins one.
    Dashes,
    /// A box begins.
    Top,
    /// A box ends.
    Bottom,
}

/// A row without its frame.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub shape: Shape,
    /// The text, without blanks around it.
    pub text: String,
    /// The column of its first character.
    pub start: usize,
    /// The column after its last.
    pub end: usize,
    /// The column where the room for text ends.
    pub edge: usize,
    /// How many boxes it is in.
    pub boxes: usize,
    /// Whether it hangs on a bar at its left.
    pub bar: bool,
    /// Whether part of it lies beyond what is read.
    pub cut: bool,
    /// The look of each character of `text`; empty when unknown.
    pub looks: Vec<Style>,
}

impl Line {
    pub(super) fn is_text(&self) -> bool {
        self.shape == Shape::Text
    }

    pub(super) fn is_blank(&self) -> bool {
        self.shape == Shape::Blank
    }

    /// The part of a frame, not of what it says.
    pub(super) fn is_frame(&self) -> bool {
        !self.is_text() && !self.is_blank()
    }

    /// It holds something that draws no frame.
    pub(super) fn says(&self) -> bool {
        let draws = |c: char| ('\u{2500}'..='\u{259f}').contains(&c) || SOLID.contains(&c);
        self.is_text() || self.text.chars().any(|c| !c.is_whitespace() && !draws(c))
    }

    /// The text from its `skip`th character on, with the column where that begins.
    pub(super) fn rest(&self, skip: usize) -> (String, usize) {
        let taken: String = self.text.chars().take(skip).collect();
        (self.text.chars().skip(skip).collect(), self.start + taken.width())
    }
}

/// The rows of a screen, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub all: Vec<Line>,
    /// The pane's width.
    pub cols: usize,
    /// The leftmost column that has text.
    pub margin: usize,
    /// Whether the screen is filled to its last row, so that something may have left it at the top.
    pub full: bool,
    /// The same with one blank row at its foot.
    pub filled: bool,
    /// Whether the look of characters is known at all.
    pub styled: bool,
}

impl Lines {
    /// Reads a screen by an agent's rules.
    pub(super) fn of(screen: &Screen, rules: &Rules) -> Self {
        match rules.sidebar.filter(|sidebar| has_sidebar(screen, *sidebar)) {
            Some(sidebar) => Self::read(&without(screen, screen.cols - sidebar.width), rules.bars),
            None => Self::read(screen, rules.bars),
        }
    }

    /// Reads a screen; `bars` are the characters that draw a bar at the left of a text.
    fn read(screen: &Screen, bars: &[char]) -> Self {
        let used = screen.rows.iter().rposition(|row| !row.text.trim().is_empty()).map_or(0, |last| last + 1);
        let rows = &screen.rows[used.saturating_sub(MOST_ROWS)..used];
        let widest = rows.iter().map(|row| row.text.trim_end().width()).max().unwrap_or_default();
        let cols = if screen.cols > 0 { screen.cols } else { widest }.min(MOST_COLS);
        let all: Vec<Line> = rows.iter().map(|row| line(row, cols, bars)).collect();
        let margin = all.iter().filter(|line| !line.is_blank()).map(|line| line.start).min().unwrap_or_default();
        let styled = rows.iter().any(|row| row.styles.iter().any(|style| *style != Style::default()));
        let pane = used >= SMALLEST_PANE;
        let spare = screen.rows.len() - used;
        Self { all, cols, margin, full: pane && spare == 0, filled: pane && spare <= 1, styled }
    }

    /// The last row that says something.
    pub(super) fn last_text(&self) -> Option<usize> {
        self.all.iter().rposition(Line::is_text)
    }
}

/// Whether a row has the sidebar's sign where its text begins.
fn has_sidebar(screen: &Screen, sidebar: Sidebar) -> bool {
    let from = screen.cols.saturating_sub(sidebar.text);
    screen.cols > sidebar.above && screen.rows.iter().any(|row| beyond(&row.text, from).starts_with(sidebar.sign))
}

/// What stands at a column and behind it.
fn beyond(text: &str, column: usize) -> &str {
    &text[at_column(text, column)..]
}

/// The byte at which a column begins.
fn at_column(text: &str, column: usize) -> usize {
    let mut before = 0;
    for (at, c) in text.char_indices() {
        if before >= column {
            return at;
        }
        before += c.width().unwrap_or_default();
    }
    text.len()
}

/// The screen up to a column.
fn without(screen: &Screen, column: usize) -> Screen {
    let short = |row: &Row| {
        let text = row.text[..at_column(&row.text, column)].to_owned();
        let styles = row.styles.iter().copied().take(text.chars().count()).collect();
        Row { text, styles }
    };
    Screen { rows: screen.rows.iter().map(short).collect(), cols: column }
}

/// The characters of a row that are still looked at.
struct Span<'a> {
    chars: &'a [char],
    from: usize,
    to: usize,
}

impl Span<'_> {
    /// Takes blanks away. At the end only those that fill a terminal's rows: any other belongs to a word.
    fn trim(&mut self) {
        while self.from < self.to && self.chars[self.from].is_whitespace() {
            self.from += 1;
        }
        while self.to > self.from && self.chars[self.to - 1] == ' ' {
            self.to -= 1;
        }
    }

    fn first(&self) -> Option<char> {
        (self.from < self.to).then(|| self.chars[self.from])
    }

    fn last(&self) -> Option<char> {
        (self.from < self.to).then(|| self.chars[self.to - 1])
    }

    fn shown(&self) -> &[char] {
        &self.chars[self.from..self.to]
    }
}

fn line(row: &Row, cols: usize, bars: &[char]) -> Line {
    let chars: Vec<char> = row.text.chars().take(MOST_COLS).collect();
    let mut span = Span { chars: &chars, from: 0, to: chars.len() };
    let (mut boxes, mut bar, mut edge) = (0, false, cols);
    span.trim();
    while let (Some(first), Some(last)) = (span.first(), span.last()) {
        if span.to - span.from > 1 && SIDES.contains(&first) && SIDES.contains(&last) {
            edge = width(&chars[..span.to - 1]).saturating_sub(1);
            (span.from, span.to, boxes) = (span.from + 1, span.to - 1, boxes + 1);
        } else if !bar && bars.contains(&first) {
            (span.from, bar) = (span.from + 1, true);
        } else {
            break;
        }
        span.trim();
    }
    // Programs put it behind their marks; in a command it is a letter like any other, and nobody sees it.
    let mark = span.shown().iter().take_while(|c| !c.is_alphabetic()).count();
    let plain = |(at, c): (usize, &char)| if *c == '\u{a0}' && at < mark { ' ' } else { *c };
    let text: String = span.shown().iter().enumerate().map(plain).collect();
    let start = width(&chars[..span.from]);
    let looks = row.styles.get(span.from..span.to).map(<[Style]>::to_vec).unwrap_or_default();
    Line {
        shape: shape(span.shown()),
        end: start + text.width(),
        cut: row.text.chars().nth(MOST_COLS).is_some(),
        text,
        start,
        edge,
        boxes,
        bar,
        looks,
    }
}

fn width(chars: &[char]) -> usize {
    chars.iter().collect::<String>().width()
}

fn shape(text: &[char]) -> Shape {
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return Shape::Blank;
    };
    let across = text.iter().filter(|c| SOLID.contains(c) || DASHES.contains(c)).count();
    let mostly = across * 2 + 2 >= text.len() && across >= 1;
    if mostly && TOP_LEFT.contains(first) && TOP_RIGHT.contains(last) {
        return Shape::Top;
    }
    if mostly && BOTTOM_LEFT.contains(first) && text.len() > 2 {
        return Shape::Bottom;
    }
    // A rule may carry a label; it still runs from one side to the other.
    let crossing = |c: &char| SOLID.contains(c) || DASHES.contains(c);
    if across < SHORTEST_RULE || !crossing(first) || !crossing(last) {
        return Shape::Text;
    }
    if DASHES.contains(first) { Shape::Dashes } else { Shape::Rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Line {
        Lines::read(&Screen::plain(text, 0), &['┃']).all.remove(0)
    }

    #[test]
    fn frames_are_taken_off() {
        let line = only("│ │ du -sh  target │ │");
        assert_eq!((line.text.as_str(), line.boxes, line.start, line.edge), ("du -sh  target", 2, 4, 18));
        let line = only("  ┃  Ask anything");
        assert_eq!((line.text.as_str(), line.bar, line.start), ("Ask anything", true, 5));
        assert_eq!(only("a │ b").text, "a │ b");
        assert_eq!(only("│").text, "│");
    }

    #[test]
    fn rows_are_told_apart() {
        for (text, shape) in [
            ("────────────", Shape::Rule),
            ("─ Worked for 1m ──────────", Shape::Rule),
            ("╌╌╌╌╌╌╌╌╌╌╌╌", Shape::Dashes),
            ("╔══════════╗", Shape::Top),
            ("│ ╭──────╮ │", Shape::Top),
            ("╰──────────╯", Shape::Bottom),
            ("╹▀▀▀▀▀▀▀▀▀▀▀", Shape::Bottom),
            ("  └ formatted 3 files", Shape::Text),
            ("- - - - - - -", Shape::Text),
            ("│          │", Shape::Blank),
        ] {
            assert_eq!(only(text).shape, shape, "{text}");
        }
    }
}
