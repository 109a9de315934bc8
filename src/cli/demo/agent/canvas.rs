//! Keeps the terminal's screen in step: the conversation scrolls away upwards, what is below it is painted anew.

use std::fmt::Write as _;

use super::paint;
use super::play::Play;
use super::rows::Row;

/// What the terminal shows, as far as it must be known to paint over it.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// Columns and rows at the last painting.
    size: (usize, usize),
    /// Rows below the conversation, as painted.
    below: usize,
}

// Terminals that know it show what is between the two at once.
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
/// Clears the screen and what has scrolled off it.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

impl Canvas {
    /// What to send to a terminal of this size so that it shows the agent as it is now.
    pub(super) fn paint(&mut self, play: &mut Play, size: (usize, usize), now: u64) -> String {
        let (cols, height) = size;
        let mut out = String::from(BEGIN);
        let resized = size != self.size && self.size != (0, 0);
        let fresh = std::mem::take(&mut play.fresh);
        let from = if resized { 0 } else { play.blocks.len() - fresh };
        if resized {
            out.push_str(CLEAR);
        } else {
            self.wipe(&mut out);
        }
        for row in play.blocks[from..].iter().flat_map(|block| paint::block(play.kind, block, cols)) {
            line(&mut out, &row);
        }
        let all = paint::live(play, cols, now);
        // What is higher than the pane loses its beginning, as with the real one.
        let shown = &all[all.len().saturating_sub(height)..];
        let rows: Vec<String> = shown.iter().map(Row::ansi).collect();
        out.push_str(&rows.join("\r\n"));
        out.push_str(END);
        (self.size, self.below) = (size, rows.len());
        out
    }

    /// Takes away what is below the conversation.
    fn wipe(&self, out: &mut String) {
        out.push('\r');
        if self.below > 1 {
            // Writing to a string cannot fail.
            let _ = write!(out, "\x1b[{}A", self.below - 1);
        }
        out.push_str("\x1b[J");
    }
}

fn line(out: &mut String, row: &Row) {
    out.push_str(&row.ansi());
    out.push_str("\r\n");
}
