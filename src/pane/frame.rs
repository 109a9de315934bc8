//! Turns what tmux captures, colours and all, into the grid that the detection reads.

use std::num::NonZero;

use crate::domain::facts::PaneIdentity;
use crate::domain::report::EXCERPT_MAX;
use crate::domain::screen::{Colour, Row, Screen, Style};

/// No pane has more rows or columns; more is not worth its memory.
const MOST_ROWS: usize = 500;
const MOST_COLS: usize = 1000;

/// Blank rows below a capture from a pane of unknown height.
const UNSEEN_ROWS: usize = 2;

/// The size of a pane, where it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub cols: Option<u16>,
    /// Rows.
    pub rows: Option<u16>,
}

impl Size {
    /// The size that tmux told of a pane.
    pub fn of(pane: &PaneIdentity) -> Self {
        Self { cols: u16::try_from(pane.cols).ok(), rows: u16::try_from(pane.rows).ok() }
    }
}

/// Reads a capture of the visible screen. Only text with escape sequences goes through a terminal's model.
pub fn screen(capture: &[u8], size: Size) -> Screen {
    let text = String::from_utf8_lossy(capture);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let shown = lines.len().min(MOST_ROWS);
    // A pane of which nobody said how tall it is, is not taken to be filled.
    let height = size.rows.map_or(shown + UNSEEN_ROWS, usize::from).clamp(1, MOST_ROWS).max(shown);
    let lines = &lines[lines.len().saturating_sub(height)..];
    let cols = usize::from(size.cols.unwrap_or_default());
    if !text.contains('\u{1b}') {
        let blank = std::iter::repeat_n("", height - lines.len());
        let all = lines.iter().copied().chain(blank);
        return Screen { rows: all.map(|line| Row { text: line.to_owned(), styles: Vec::new() }).collect(), cols };
    }
    // No row may wrap, for its end would become a row of its own. Two tables of characters need not agree which are
    // wide, and where nobody said the width, escape sequences only make the guess too wide.
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or_default();
    let width = if cols > 0 { 2 * cols } else { longest }.clamp(1, 2 * MOST_COLS);
    let mut model = vt100::Parser::new(small(height), small(width), 0);
    model.process(lines.join("\r\n").as_bytes());
    let rows = (0..small(height).get()).map(|at| row(model.screen(), at)).collect();
    Screen { rows, cols }
}

/// The characters of a screen, without the blank rows at its foot, as the record keeps them.
pub fn text(screen: &Screen) -> String {
    let rows: Vec<&str> = screen.rows.iter().map(|row| row.text.trim_end()).collect();
    let used = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |at| at + 1);
    rows[..used].join("\n").chars().filter(|c| *c == '\n' || !c.is_control()).take(EXCERPT_MAX).collect()
}

fn small(n: usize) -> NonZero<u16> {
    u16::try_from(n).ok().and_then(NonZero::new).unwrap_or(NonZero::<u16>::MIN)
}

fn row(screen: &vt100::Screen, at: u16) -> Row {
    let (_, cols) = screen.size();
    let mut row = Row::default();
    for cell in (0..cols.get()).filter_map(|col| screen.cell(at, col)).filter(|cell| !cell.is_wide_continuation()) {
        let shown = if cell.has_contents() { cell.contents() } else { " " };
        for c in shown.chars() {
            row.text.push(c);
            row.styles.push(style(cell));
        }
    }
    // Other blanks than the terminal's own may be part of a name.
    let length = row.text.trim_end_matches(' ').chars().count();
    row.text.truncate(row.text.trim_end_matches(' ').len());
    row.styles.truncate(length);
    row
}

fn style(cell: &vt100::Cell) -> Style {
    Style { dim: cell.dim(), inverse: cell.inverse(), fg: colour(cell.fgcolor()), bg: colour(cell.bgcolor()) }
}

fn colour(colour: vt100::Color) -> Colour {
    match colour {
        vt100::Color::Default => Colour::Plain,
        vt100::Color::Idx(n) => Colour::Indexed(n),
        vt100::Color::Rgb(red, green, blue) => Colour::Rgb(red, green, blue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_of_each_character_is_kept() {
        let screen = screen("\u{1b}[2mTry\u{1b}[0m \u{1b}[7mx\u{1b}[0m 漢 y\nb\n".as_bytes(), Size::default());
        let row = &screen.rows[0];
        assert_eq!(row.text, "Try x 漢 y");
        assert_eq!(row.text.chars().count(), row.styles.len());
        assert!(row.styles[0].dim && !row.styles[3].dim && row.styles[4].inverse && !row.styles[8].inverse);
        assert_eq!(screen.rows[1].text, "b");
    }

    #[test]
    fn the_text_for_the_record_is_plain_and_bounded() {
        let long = format!("a\u{1b}\u{7}b  \n\n  c\n\n{}\n\n", "x".repeat(EXCERPT_MAX));
        let found = text(&Screen::plain(&long, 80));
        assert!(found.starts_with("ab\n\n  c\n\nx"));
        assert_eq!(found.chars().count(), EXCERPT_MAX);
    }

    #[test]
    fn a_row_that_seems_too_wide_stays_one_row() {
        let row = format!("\u{1b}[2m{}\u{1b}[0m; ls", "漢".repeat(9));
        let screen = screen(format!("{row}\nb").as_bytes(), Size { cols: Some(13), rows: Some(3) });
        assert_eq!((screen.rows[0].text.ends_with("漢; ls"), screen.rows[1].text.as_str()), (true, "b"));
        assert_eq!((screen.rows.len(), screen.cols), (3, 13));
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        let size = Size { cols: Some(10), rows: Some(2) };
        let screen = screen(b"a row longer than ten\nb", size);
        assert_eq!(screen.rows[0].text, "a row longer than ten");
        assert_eq!(screen.cols, 10);
    }
}
