//! Which characters may stand in a command line at all, and which outside quotes.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::Why;
use crate::domain::text;

/// Whether a character shows itself as what it is: no control, no mark of direction, no blank but the plain space.
pub fn is_seen(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    let hidden = matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::Surrogate
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::SpaceSeparator
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    );
    !hidden && !text::is_unseen(c) && !text::is_blank(c)
}

/// Whether a character outside quotes means itself in every accepted shell. `^` and `~` do so only inside a word.
pub(super) const fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '=' | ',' | '@' | '%' | '+' | '-' | '^' | '~')
}

/// Why a character is not accepted outside quotes.
pub(super) fn refused(c: char) -> Why {
    match c {
        '$' | '`' => Why::Expansion,
        '\\' => Why::Escape,
        '*' | '?' | '[' | ']' => Why::Glob,
        '{' | '}' => Why::Brace,
        '(' | ')' => Why::Group,
        '<' | '>' => Why::Redirect,
        '#' => Why::Comment,
        '!' => Why::History,
        '\t' => Why::Blank,
        _ if text::is_blank(c) && !text::is_unseen(c) => Why::Blank,
        _ if is_seen(c) => Why::Foreign,
        _ => Why::Unseen,
    }
}
