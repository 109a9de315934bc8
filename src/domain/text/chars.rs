//! Single characters that a screen hides or moves, each turned into a chip with its number.

use unicode_script::{Script, UnicodeScript};

use super::{Cell, Glyph, Warning, Warnings};

/// More marks than this on one letter reach over its neighbours.
const MAX_STACKED: usize = 3;

/// Replaces what cannot be seen by chips.
pub(super) fn judge(cells: Vec<Cell>, warnings: &mut Warnings) -> Vec<Cell> {
    let chars: Vec<Option<char>> = cells.iter().map(Cell::char).collect();
    let mut stacked = 0;
    cells
        .into_iter()
        .enumerate()
        .map(|(index, mut cell)| {
            let Some(c) = cell.char() else { return cell };
            let before = index.checked_sub(1).and_then(|before| chars[before]);
            let after = chars.get(index + 1).copied().flatten();
            stacked = if c.script() == Script::Inherited { stacked + 1 } else { 0 };
            cell.glyph = match find(c, before, after) {
                Seen::Fine if stacked > MAX_STACKED => chip(c, Warning::Invisible, warnings),
                Seen::Fine => return cell,
                Seen::LineEnd => Glyph::Mark("CR"),
                Seen::As(warning) => chip(c, warning, warnings),
            };
            cell
        })
        .collect()
}

fn chip(c: char, warning: Warning, warnings: &mut Warnings) -> Glyph {
    let label = label(c);
    warnings.note(warning, &label, name(c));
    Glyph::Chip(label)
}

enum Seen {
    Fine,
    /// A carriage return before a line feed: the line end of another system.
    LineEnd,
    As(Warning),
}

fn find(c: char, before: Option<char>, after: Option<char>) -> Seen {
    match c {
        '\n' | '\t' | ' '..='~' => Seen::Fine,
        '\r' if after == Some('\n') => Seen::LineEnd,
        '\r' | '\x08' => Seen::As(Warning::Overwrite),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            Seen::As(Warning::Bidi)
        }
        // An emoji's own presentation mark is what keyboards send; a second one in a row is not.
        '\u{fe0f}' if before.is_some_and(may_be_emoji) => Seen::Fine,
        '\u{2028}' | '\u{2029}' => Seen::As(Warning::Control),
        _ if c.is_control() || is_annotation(c) => Seen::As(Warning::Control),
        _ if is_invisible(c) => Seen::As(Warning::Invisible),
        _ if is_blank(c) => Seen::As(Warning::Blank),
        _ => Seen::Fine,
    }
}

/// Whether a character controls a terminal, turns the reading order, or takes no room on a screen.
pub fn is_unseen(c: char) -> bool {
    matches!(find(c, None, None), Seen::As(warning) if warning != Warning::Blank)
}

fn may_be_emoji(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}'
        | '\u{2122}'..='\u{2bff}' | '\u{3030}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

fn is_annotation(c: char) -> bool {
    matches!(c, '\u{fff9}'..='\u{fffc}')
}

/// Unicode's default-ignorable characters, the joiners of hieroglyphs, and what has no agreed shape.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{13430}'..='\u{1345f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}')
        || (c as u32) & 0xfffe == 0xfffe
        || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// Whether a character takes room and shows nothing.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2800}' | '\u{1680}' | '\u{180e}')
}

/// How a character is called on a chip: its short name if every engineer knows it, else its number.
pub(super) fn label(c: char) -> String {
    const CONTROLS: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
        "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    match (CONTROLS.get(c as usize), c) {
        (Some(name), _) => (*name).to_owned(),
        (None, '\x7f') => "DEL".to_owned(),
        (None, _) => format!("U+{:04X}", c as u32),
    }
}

/// A character of a terminal code as it stands on a chip: itself if it can be seen, else its label.
pub(super) fn spelled(c: char) -> String {
    match find(c, None, None) {
        Seen::Fine if !matches!(c, '\n' | '\t') && c.script() != Script::Inherited => c.to_string(),
        _ if c == '\x1b' => "ESC".to_owned(),
        _ => format!("<{}>", label(c)),
    }
}

/// The names of the characters met most.
fn name(c: char) -> &'static str {
    match c {
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "end of directional formatting",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "end of isolate",
        '\u{61c}' => "Arabic letter mark",
        '\u{ad}' => "soft hyphen",
        '\u{a0}' => "no-break space",
        '\u{2060}' => "word joiner",
        '\u{feff}' => "byte order mark",
        '\u{3000}' => "ideographic space",
        '\u{3164}' => "Hangul filler",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => "private use",
        '\r' => "carriage return",
        '\x08' => "backspace",
        '\x07' => "bell",
        '\0' => "null",
        '\x7f' => "delete",
        _ => "",
    }
}
