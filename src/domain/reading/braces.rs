//! Brace expansion, as far as it could spell a command: `{rm,-rf,x}` and `-{r,f}`.

use super::Word;

/// More alternatives than this are not written out: the word stays one.
const MAX: usize = 32;

/// Adds the word, or the words it stands for.
pub(super) fn expand(word: Word, out: &mut Vec<Word>) {
    match parts(&word) {
        None => out.push(word),
        Some((before, inside, after)) => {
            for part in inside.split(',') {
                out.push(Word { text: format!("{before}{part}{after}"), quoted: false, open: word.open });
            }
        }
    }
}

fn parts(word: &Word) -> Option<(&str, &str, &str)> {
    if word.quoted {
        return None;
    }
    let (before, rest) = word.text.split_once('{')?;
    let (inside, after) = rest.split_once('}')?;
    let count = inside.matches(',').count();
    ((1..MAX).contains(&count) && !inside.contains('{') && !before.ends_with('$')).then_some((before, inside, after))
}
