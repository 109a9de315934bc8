//! Terminal codes: colours become a fixed set of styles, everything else becomes a visible chip.

use anstyle_parse::{DefaultCharAccumulator, Params, Parser, Perform};

use super::style::Style;
use super::{Cell, Glyph, Kind, Warning, Warnings, chars};

/// What the parser said about the bytes of one character.
#[derive(Default)]
struct Heard {
    style: Option<Params>,
    ended: bool,
    executed: bool,
    terminated_string: bool,
}

impl Perform for Heard {
    fn print(&mut self, _: char) {
        self.ended = true;
    }

    fn execute(&mut self, byte: u8) {
        // CAN and SUB end a sequence; any other control acts inside it and leaves it open.
        if matches!(byte, 0x18 | 0x1a) {
            self.ended = true;
        } else {
            self.executed = true;
        }
    }

    fn unhook(&mut self) {
        self.terminated_string = true;
    }

    fn osc_dispatch(&mut self, _: &[&[u8]], _: bool) {
        self.terminated_string = true;
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: u8) {
        self.ended = true;
        if action == b'm' && intermediates.is_empty() && !ignore {
            self.style = Some(params.clone());
        }
    }

    fn esc_dispatch(&mut self, _: &[u8], _: bool, _: u8) {
        self.ended = true;
    }
}

/// Walks over a text; `pending` holds a sequence that is not finished yet, so that no byte is lost.
struct Walk<'w> {
    parser: Parser<DefaultCharAccumulator>,
    pending: String,
    since: usize,
    style: Style,
    kind: Kind,
    cells: Vec<Cell>,
    warnings: &'w mut Warnings,
    hiding: bool,
}

/// Splits a text into characters and codes.
pub(super) fn cells(raw: &str, kind: Kind, warnings: &mut Warnings) -> Vec<Cell> {
    let mut walk = Walk {
        parser: Parser::<DefaultCharAccumulator>::default(),
        pending: String::new(),
        since: 0,
        style: Style::default(),
        kind,
        cells: Vec::with_capacity(raw.len()),
        warnings,
        hiding: false,
    };
    for (at, c) in raw.char_indices() {
        if walk.pending.is_empty() && c != '\x1b' {
            walk.plain(c, at);
        } else {
            walk.inside(c, at);
        }
    }
    walk.flush();
    walk.cells
}

impl Walk<'_> {
    fn plain(&mut self, c: char, at: usize) {
        let hides = self.style.hides() && !c.is_whitespace();
        if hides && !self.hiding {
            self.warnings.note(Warning::Hidden, "hidden text", "");
        }
        self.hiding = hides || (self.hiding && c.is_whitespace());
        let mut cell = Cell::new(Glyph::Char(c), at);
        cell.style = self.style;
        self.cells.push(cell);
    }

    /// A character after an escape that has not ended yet.
    fn inside(&mut self, c: char, at: usize) {
        let in_string = self.pending.chars().nth(1).is_some_and(|kind| "]PX^_".contains(kind));
        if c == '\x1b' {
            self.flush();
            self.since = at;
        } else if !c.is_ascii() && in_string {
            self.pending.push(c);
            return;
        } else if !c.is_ascii() || (c == '\n' && in_string) {
            // Not part of any code: show what there is and go on in plain text.
            self.parser = Parser::<DefaultCharAccumulator>::default();
            self.flush();
            self.plain(c, at);
            return;
        }
        let mut heard = Heard::default();
        self.parser.advance(&mut heard, c as u8);
        if heard.executed {
            self.plain(c, at);
            return;
        }
        self.pending.push(c);
        if let Some(params) = heard.style {
            self.restyle(&params);
        } else if heard.ended || (heard.terminated_string && c != '\x1b') {
            self.flush();
        }
    }

    fn restyle(&mut self, params: &Params) {
        if self.kind == Kind::Command {
            return self.flush();
        }
        if self.kind == Kind::Document {
            self.warnings.note(Warning::Escape, "colour codes", "");
        }
        self.pending.clear();
        self.style.apply(params);
    }

    /// Shows a sequence that is no colour, whole, as a chip.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let label: String = self.pending.chars().map(chars::spelled).collect();
        self.pending.clear();
        self.warnings.note(Warning::Escape, "terminal code", "");
        self.cells.push(Cell::new(Glyph::Chip(label), self.since));
    }
}
