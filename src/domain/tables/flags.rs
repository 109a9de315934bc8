//! One word with flags in it, split into flags and values by the spelling that the program uses.

use super::grammar::{Flags, Spelling, Type};

/// A flag that was recognised.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// As the table spells it.
    pub(super) flag: &'static str,
    /// Its value, and where it comes from.
    pub(super) value: Option<&'a str>,
}

/// What a word with flags turned out to be.
#[derive(Debug)]
pub(super) enum Split<'a> {
    /// All of it is known; whether the next word was taken as a value.
    Known(Vec<(Found<'a>, Option<Type>)>, bool),
    /// This part of it is not known, as a flag by itself.
    Unknown(String),
    /// A value is missing, or stands where none may.
    BadValue(String),
}

/// Splits a word that begins with `-`; `next` is the word behind it.
pub(super) fn split<'a>(flags: &Flags, word: &'a str, next: Option<&'a str>) -> Split<'a> {
    let digits = word.trim_start_matches('-');
    if flags.numbers && word.len() == digits.len() + 1 && super::checks::number(digits) {
        return Split::Known(Vec::new(), false);
    }
    match flags.spelling {
        Spelling::Gnu if word.starts_with("--") => whole(flags, word, next),
        Spelling::Gnu => bundle(flags, word, next),
        Spelling::Apart | Spelling::Go | Spelling::Tsc => whole(flags, word, next),
    }
}

/// A flag in a word of its own, maybe with `=` and a value.
fn whole<'a>(flags: &Flags, word: &'a str, next: Option<&'a str>) -> Split<'a> {
    let (name, attached) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    // Go takes two dashes for one.
    let one_dash = name.strip_prefix('-').filter(|rest| flags.spelling == Spelling::Go && rest.starts_with('-'));
    let name = one_dash.unwrap_or(name);
    // `-t=x` is `x` for one parser and `=x` for the next; the TypeScript compiler knows no `=`.
    let odd = match flags.spelling {
        Spelling::Apart => !name.starts_with("--"),
        Spelling::Tsc => true,
        Spelling::Gnu | Spelling::Go => false,
    };
    if attached.is_some() && odd {
        return Split::Unknown(name.to_owned());
    }
    if let Some(flag) = find(flags.plain, name) {
        return match attached {
            None => Split::Known(vec![(Found { flag, value: None }, None)], false),
            Some(_) => Split::BadValue(name.to_owned()),
        };
    }
    if let Some((flag, kind)) = find_valued(flags.valued, name) {
        return match (attached, next) {
            (Some(value), _) => Split::Known(vec![(Found { flag, value: Some(value) }, Some(kind))], false),
            (None, Some(value)) if !value.starts_with('-') => {
                Split::Known(vec![(Found { flag, value: Some(value) }, Some(kind))], true)
            }
            (None, _) => Split::BadValue(name.to_owned()),
        };
    }
    match find_valued(flags.attached, name) {
        Some((flag, Type::OneOf(words))) if flags.spelling == Spelling::Tsc => {
            let value = next.filter(|next| words.contains(next));
            Split::Known(vec![(Found { flag, value }, None)], value.is_some())
        }
        Some((flag, kind)) => Split::Known(vec![(Found { flag, value: attached }, Some(kind))], false),
        None => Split::Unknown(name.to_owned()),
    }
}

/// Short flags side by side: `-la`, `-n5`, `-A 3`.
fn bundle<'a>(flags: &Flags, word: &'a str, next: Option<&'a str>) -> Split<'a> {
    let mut found = Vec::new();
    for (at, letter) in word.char_indices().skip(1) {
        let short = format!("-{letter}");
        let rest = &word[at + letter.len_utf8()..];
        if let Some(flag) = find(flags.plain, &short) {
            found.push((Found { flag, value: None }, None));
            continue;
        }
        if let Some((flag, kind)) = find_valued(flags.attached, &short) {
            let value = Some(rest).filter(|rest| !rest.is_empty());
            found.push((Found { flag, value }, Some(kind)));
            return Split::Known(found, false);
        }
        let Some((flag, kind)) = find_valued(flags.valued, &short) else { return Split::Unknown(short) };
        let takes_next = rest.is_empty();
        let value = if takes_next { next.filter(|next| !next.starts_with('-')) } else { Some(rest) };
        let Some(value) = value else { return Split::BadValue(short) };
        found.push((Found { flag, value: Some(value) }, Some(kind)));
        return Split::Known(found, takes_next);
    }
    Split::Known(found, false)
}

fn find(flags: &'static [&'static str], name: &str) -> Option<&'static str> {
    flags.iter().copied().find(|flag| *flag == name)
}

fn find_valued(flags: &'static [(&'static [&'static str], Type)], name: &str) -> Option<(&'static str, Type)> {
    flags.iter().find_map(|(names, kind)| names.iter().copied().find(|flag| *flag == name).map(|flag| (flag, *kind)))
}
