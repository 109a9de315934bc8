//! What a terminal shows: rows of characters, with their look where it is known.

/// A colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Plain,
    /// One of the palette.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

/// How one character looks: what tells a suggestion from a draft, and a chosen button from its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Faint: suggestions and placeholders.
    pub dim: bool,
    /// Foreground and background swapped: the cursor, a chosen row.
    pub inverse: bool,
    /// Colour of the letter.
    pub fg: Colour,
    /// Colour behind it.
    pub bg: Colour,
}

/// One row as shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its characters.
    pub text: String,
    /// One style a character of `text`; shorter where the look is not known.
    pub styles: Vec<Style>,
}

/// The visible part of a pane; never its history, which is full of dialogs that are over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// From the top.
    pub rows: Vec<Row>,
    /// The pane's width; 0 when nobody said, then the widest row counts.
    pub cols: usize,
}

impl Screen {
    /// A screen of which only the characters are known.
    pub fn plain(text: &str, cols: usize) -> Self {
        let rows = text.lines().map(|line| Row { text: line.to_owned(), styles: Vec::new() }).collect();
        Self { rows, cols }
    }
}
