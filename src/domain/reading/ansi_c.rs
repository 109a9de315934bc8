//! `$'…'`: the escapes that spell a word without showing it.

/// Decodes from after the opening quote; returns the text and how many bytes were read, the closing quote included.
pub(super) fn decode(rest: &str) -> (String, usize) {
    let mut out = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' => return (out, at + 1),
            '\\' => {
                let Some((_, kind)) = chars.next() else { break };
                let after = chars.as_str();
                let (decoded, digits) = escape(kind, after);
                out.extend(decoded);
                for _ in 0..digits {
                    chars.next();
                }
            }
            _ => out.push(c),
        }
    }
    (out, rest.len())
}

/// One escape by its letter, and how many of the following characters belong to it.
fn escape(kind: char, after: &str) -> (Option<char>, usize) {
    let number = |radix: u32, most: usize| {
        let digits: String = after.chars().take(most).take_while(|c| c.is_digit(radix)).collect();
        (u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32), digits.len())
    };
    match kind {
        'x' => number(16, 2),
        'u' => number(16, 4),
        'U' => number(16, 8),
        '0'..='7' => {
            let digits: String =
                std::iter::once(kind).chain(after.chars().take(2).take_while(|c| c.is_digit(8))).collect();
            (u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32), digits.len() - 1)
        }
        'n' => (Some('\n'), 0),
        't' => (Some('\t'), 0),
        'r' => (Some('\r'), 0),
        'a' | 'b' | 'e' | 'E' | 'f' | 'v' => (None, 0),
        'c' => (None, usize::from(!after.is_empty())),
        other => (Some(other), 0),
    }
}
