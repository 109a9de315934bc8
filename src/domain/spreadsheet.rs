//! Cells for programs that take some text for a formula and run it.

use std::borrow::Cow;

/// The text as a cell that no spreadsheet computes: what begins like a formula (`=`, `+`, `-`, `@`, or a tab or line break
/// that hides one) gets an apostrophe in front, which spreadsheets do not show. Whoever reads the file with a program
/// takes that apostrophe off again.
pub fn cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_text() {
        for (text, shown) in [
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@a", "'@a"),
            ("\t=1", "'\t=1"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(cell(text), shown);
        }
    }
}
