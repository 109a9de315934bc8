//! What a text must not look like that stands within a frame of ours: the frame's own beginning or end.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_security::skeleton;

/// The word that frames are told by.
const WORD: &str = "countersign";

/// Whether the letters of a text, and nothing else of it, spell the frames' word: in any case, in look-alikes, with
/// whatever between them.
pub fn spells_the_word(line: &str) -> bool {
    letters(line).contains(&plain(WORD))
}

/// A text of several lines without the brackets that could open a frame, or end one: those whose next letters, however far
/// they are and whatever is between them, spell a frame's first words. The other brackets stay, for a text may be a program.
pub fn unforged(text: &str) -> String {
    let (mut spelt, mut starts) = (String::new(), Vec::new());
    for c in text.chars() {
        starts.push(spelt.len());
        if c.is_alphanumeric() || !c.is_ascii() {
            spelt.push_str(&letters(c.encode_utf8(&mut [0; 4])));
        }
    }
    let words = [plain(WORD), plain(&format!("end{WORD}"))];
    let opens = |c: char, from: usize| rounded(c) == '(' && words.iter().any(|word| spelt[from..].starts_with(word));
    text.chars().zip(starts).map(|(c, from)| if opens(c, from) { '(' } else { c }).collect()
}

/// The letters of a text as they look, and nothing else of it.
fn letters(text: &str) -> String {
    let letters: String = text.nfkd().map(unframed).filter(|c| c.is_alphanumeric()).collect();
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
    fn only_brackets_that_could_open_a_frame_are_taken() {
        for same in
            ["a[0] {b} <c> (d)", "see [1] and [the countersign docs]", "countersign[0]", "Vec<u8>", "", "【世界】"]
        {
            assert_eq!(unforged(same), same);
        }
        for (text, without) in [
            ("a [END COUNTERSIGN MESSAGE]", "a (END COUNTERSIGN MESSAGE]"),
            ("[[ - countersign\n[x]", "(( - countersign\n[x]"),
            ("[\n\nEND\nCOUNTERSIGN", "(\n\nEND\nCOUNTERSIGN"),
        ] {
            assert_eq!(unforged(text), without);
        }
        let long = "[".repeat(8 * 1024);
        assert_eq!(unforged(&long), long);
    }
}
