//! Standard output, whose reader may leave early (`countersign audit list | head`), and whose terminal obeys what it is sent.

use std::fmt::{Display, Write as _};
use std::io::{ErrorKind, Write as _};

use crate::domain::text::is_unseen;

/// Prints a line. Who has read enough ends the command, without a word.
pub fn line(text: impl Display) {
    let text = visible(&text.to_string());
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
        let code = i32::from(error.kind() != ErrorKind::BrokenPipe);
        std::process::exit(code);
    }
}

/// Says something beside the answer, on standard error, where it does not get into what a script reads.
pub fn note(text: impl Display) {
    eprintln!("{}", visible(&text.to_string()));
}

/// The text with all that a terminal would obey or not show spelled out, the way JSON spells it: JSON stays the same value.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_unseen(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_terminal_gets_nothing_to_obey() {
        let raw = "a\u{9b}31m\u{1b}]0;x\u{7}\u{202e}txt\u{200b}\u{e0041}\r\n\tdé漢 \u{a0}";
        let shown = "a\\u009b31m\\u001b]0;x\\u0007\\u202etxt\\u200b\\udb40\\udc41\\u000d\n\tdé漢 \u{a0}";
        assert_eq!(visible(raw), shown);
        let value = json!({ "note": raw });
        let printed = visible(&value.to_string());
        assert!(!printed.contains('\u{9b}') && !printed.contains('\u{202e}'), "{printed}");
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), value);
    }
}
