//! Comparing wordings: folded to one spelling, matched as whole words.

/// One spelling for comparing: lower case, straight quotes, single blanks.
pub(in crate::domain) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(part.chars().flat_map(char::to_lowercase).map(|found| match found {
            '\u{2018}' | '\u{2019}' => '\'',
            '\u{201c}' | '\u{201d}' => '"',
            other => other,
        }));
    }
    out
}

/// Whether a folded text holds a folded phrase, with no letter or digit touching it.
pub(in crate::domain) fn holds(text: &str, phrase: &str) -> bool {
    let inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !(inner(before) && inner(phrase.chars().next()) || inner(after) && inner(phrase.chars().next_back()))
    })
}

/// Whether one of the phrases is in the folded text.
pub(super) fn holds_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| holds(text, phrase))
}

/// Whether the folded text begins with one of the phrases.
pub(super) fn opens_with(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| text.starts_with(phrase))
}

/// A column of text beside another, told by two or more blanks: its left and its right side.
pub(super) fn columns(text: &str) -> Option<(&str, &str)> {
    let at = text.find("  ")?;
    let right = text[at..].trim_start();
    (!right.is_empty()).then(|| (text[..at].trim_end(), right))
}

/// Words with single blanks between.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words() {
        assert!(holds("yes, and don't ask again for: npm", "don't ask again"));
        assert!(!holds("tokenizer", "token"));
        assert!(holds("esc to cancel, 3s", "esc to cancel"));
        assert_eq!(fold("  Don\u{2019}t\u{a0} ask\n"), "don't ask");
        assert_eq!(columns("Allow   Run it"), Some(("Allow", "Run it")));
        assert_eq!(columns("Allow once"), None);
    }
}
