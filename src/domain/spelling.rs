//! The word that frames are told by, in whatever letters somebody spells it, and brackets that open no frame.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::skeleton;

/// The word. A text that spells it beside a bracket could be taken for a frame.
const WORD: &str = "countersign";
/// What stands before it where a frame ends.
const END: &str = "end";

/// What stands before each place where a text spells the word, and before an "end" that goes before it, back to the next
/// letter. In any case, in look-alikes, with whatever between the letters.
pub fn spellings(text: &str) -> Vec<Range<usize>> {
    let (mut letters, mut spans) = (String::new(), Vec::new());
    for (at, c) in text.char_indices() {
        letters.push_str(&looks(c));
        spans.resize(letters.len(), at..at + c.len_utf8());
    }
    let (word, end) = (plain(WORD), plain(END));
    let before = |at: usize| {
        let last = at.checked_sub(1).and_then(|last| spans.get(last));
        last.map_or(0, |last| last.end)..spans.get(at).map_or(0, |first| first.start)
    };
    let begins = letters.match_indices(&word).flat_map(|(at, _)| {
        let with_end = letters[..at].strip_suffix(&end).map(str::len);
        [Some(at), with_end].into_iter().flatten()
    });
    begins.map(before).collect()
}

/// A character's letters by what they look like; none where it is no letter.
fn looks(c: char) -> String {
    let letters: String = std::iter::once(c).nfkd().map(unframed).filter(|c| c.is_alphanumeric()).collect();
    plain(&letters)
}

/// A text by what its letters look like; digits that stand for letters are those letters.
fn plain(letters: &str) -> String {
    let alike = |c: char| match c {
        '0' => 'o',
        '1' | 'i' | '|' | 'ı' => 'l',
        '5' => 's',
        '9' | '6' => 'g',
        '3' => 'e',
        '7' => 't',
        other => other,
    };
    // Capitals have look-alikes of their own, and what they look like may be a capital again.
    let folded: String = skeleton(letters).flat_map(char::to_lowercase).collect();
    skeleton(&folded).filter(|c| c.is_alphanumeric()).map(alike).collect()
}

/// Letters that Unicode draws in a frame, or as small capitals, and calls like no other letter.
fn unframed(c: char) -> char {
    let from = |first: u32| char::from_u32(u32::from('a') + (c as u32 - first)).unwrap_or(c);
    match c {
        '\u{1f150}'..='\u{1f169}' => from(0x1f150),
        '\u{1f170}'..='\u{1f189}' => from(0x1f170),
        '\u{1f1e6}'..='\u{1f1ff}' => from(0x1f1e6),
        'ᴄ' => 'c',
        'ᴏ' => 'o',
        'ᴜ' => 'u',
        'ɴ' => 'n',
        'ᴛ' => 't',
        'ᴇ' => 'e',
        'ʀ' => 'r',
        'ꜱ' => 's',
        'ɪ' => 'i',
        'ɢ' => 'g',
        other => other,
    }
}

/// A bracket of any kind as a round one.
pub fn rounded(c: char) -> char {
    use GeneralCategory::{ClosePunctuation, FinalPunctuation, InitialPunctuation, OpenPunctuation};
    match (c, c.general_category()) {
        // Quotation marks are of no frame; some languages write nothing else.
        ('“' | '”' | '‘' | '’' | '„' | '‚', _) => c,
        ('<' | '⎡'..='⎣' | '⊏' | '⊑' | '⟤' | '｜' | '|' | '¦' | '│' | '┃' | '┌' | '└' | '├', _)
        | (_, OpenPunctuation | InitialPunctuation) => '(',
        ('>' | '⎤'..='⎦' | '⊐' | '⊒' | '⟥' | '┐' | '┘' | '┤', _) | (_, ClosePunctuation | FinalPunctuation) => {
            ')'
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_found_however_it_is_spelled() {
        for (text, before) in [
            ("[Countersign", vec!["["]),
            ("a [ END  COUNTERSIGN", vec!["  ", " [ "]),
            ("x【\u{200b}end сountersIgn y [countersign", vec![" ", "【\u{200b}", " ["]),
            ("the backend [counter-sign", vec![" [", ""]),
            ("㏄ountersign", vec![""]),
            ("counter", vec![]),
        ] {
            let found: Vec<&str> = spellings(text).into_iter().map(|gap| text.get(gap).unwrap_or_default()).collect();
            assert_eq!(found, before, "{text}");
        }
    }
}
