//! Here-documents and brackets: finding where something that was opened ends.

/// A here-document whose lines are still to come.
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// `<<-`: leading tabs do not count.
    pub(super) strip: bool,
    /// A quoted delimiter: nothing in the text is expanded.
    pub(super) quoted: bool,
}

impl Pending {
    /// The text up to the delimiter's line, and the length with that line; `None` when it never comes.
    pub(super) fn body<'a>(&self, rest: &'a str) -> Option<(&'a str, usize)> {
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            let bare = if self.strip { bare.trim_start_matches('\t') } else { bare };
            if bare == self.delimiter {
                return Some((&rest[..at], at + line.len()));
            }
            at += line.len();
        }
        None
    }
}

/// The text up to the bracket that closes one opened just before, and whether there is one. Quotes are respected.
pub(super) fn until_close(rest: &str, open: char, close: char) -> (&str, bool) {
    let mut depth = 1_usize;
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if c == open => depth += 1,
            (None, _) if c == close => {
                depth -= 1;
                if depth == 0 {
                    return (&rest[..at], true);
                }
            }
            _ => {}
        }
    }
    (rest, false)
}

/// The substitutions that an unquoted here-document would run.
pub(super) fn substitutions(body: &str, out: &mut Vec<String>) {
    let mut rest = body;
    while let Some(at) = rest.find(['$', '`']) {
        let after = &rest[at..];
        if let Some(inner) = after.strip_prefix("$(") {
            let (inside, closed) = until_close(inner, '(', ')');
            out.push(inside.to_owned());
            rest = &inner[inside.len() + usize::from(closed)..];
        } else if let Some(inner) = after.strip_prefix('`') {
            let inside = inner.split('`').next().unwrap_or(inner);
            out.push(inside.to_owned());
            rest = inner.get(inside.len() + 1..).unwrap_or_default();
        } else {
            rest = &after[1..];
        }
    }
}
