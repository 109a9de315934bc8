//! The header lines of a unified diff, one at a time, and only in the exact form that git writes them in.

use super::Note;
use super::special::of_mode;

/// Whether a file of a patch begins at the first of these lines.
pub(super) fn starts_file(lines: &[&str]) -> bool {
    lines[0].starts_with("diff --git ") || starts_names(lines)
}

/// `---` and `+++` lines with a hunk below: a removed line may begin with `--` too.
pub(super) fn starts_names(lines: &[&str]) -> bool {
    lines[0].starts_with("--- ")
        && lines.get(1).is_some_and(|line| line.starts_with("+++ "))
        && lines.get(2).is_some_and(|line| range(line).is_some())
}

/// The two starts, the two counts and the rest of a `@@` line.
pub(super) fn range(line: &str) -> Option<([usize; 2], [usize; 2], &str)> {
    let (ranges, section) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let pair = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let ((old_start, old_count), (new_start, new_count)) = (pair(old)?, pair(new)?);
    Some(([old_start, new_start], [old_count, new_count], unended(section).trim_start_matches(' ')))
}

/// A path without the `a/` or `b/` before it; `None` for `/dev/null`.
pub(super) fn path(raw: &str) -> Option<&str> {
    let raw = unquoted(raw);
    if raw == "/dev/null" {
        return None;
    }
    Some(raw.strip_prefix("a/").or_else(|| raw.strip_prefix("b/")).unwrap_or(raw))
}

fn unquoted(raw: &str) -> &str {
    raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).unwrap_or(raw)
}

/// The path of a `---` or `+++` line, and whether more follows it behind a tab: the file's time, or anything else.
pub(super) fn named(line: &str) -> (Option<&str>, bool) {
    let line = unended(&line[4..]);
    let (name, more) = line.split_once('\t').unwrap_or((line, ""));
    (path(name), !more.is_empty())
}

/// A line without the carriage return of its end.
pub(super) fn unended(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// The old and the new name of a `diff --git` line, which may hold blanks: both halves are alike, or told apart by `b/`.
pub(super) fn two_paths(names: &str) -> [Option<&str>; 2] {
    let half = names.len() / 2;
    let (old, new) = match (names.split_once(" b/"), names.split_once(' ')) {
        _ if names.is_char_boundary(half) && names[half..].starts_with(' ') => names.split_at(half),
        (Some((old, new)), _) => (old, new),
        (None, Some((old, new))) if !new.contains(' ') => (old, new),
        _ => (names, names),
    };
    [path(old), path(new.trim_start_matches(' '))]
}

/// What a line between `diff --git` and the first hunk says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Head<'a> {
    /// Something special about the file.
    Is(Vec<Note>),
    /// The file's mode before.
    OldMode(&'a str),
    /// The file's mode after.
    NewMode(&'a str),
    /// The file's name before, and what happens to it.
    From(&'a str, Note),
    /// The file's name after.
    To(&'a str),
}

/// Reads such a line. `None` when it is anything but exactly what git writes: then it has to be shown.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    let is_name = |name: &str| !unquoted(name).is_empty();
    if let Some(new) = line.strip_prefix("new file mode ") {
        return is_mode(new).then(|| Head::Is(std::iter::once(Note::Created).chain(of_mode(new)).collect()));
    }
    if let Some(old) = line.strip_prefix("deleted file mode ") {
        return is_mode(old).then(|| Head::Is(vec![Note::Deleted]));
    }
    if let Some(old) = line.strip_prefix("old mode ") {
        return is_mode(old).then_some(Head::OldMode(old));
    }
    if let Some(new) = line.strip_prefix("new mode ") {
        return is_mode(new).then_some(Head::NewMode(new));
    }
    for (from, note) in [("rename from ", Note::Renamed), ("copy from ", Note::Copied)] {
        if let Some(old) = line.strip_prefix(from) {
            return is_name(old).then(|| Head::From(unquoted(old), note));
        }
    }
    if let Some(new) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
        return is_name(new).then(|| Head::To(unquoted(new)));
    }
    if let Some(blobs) = line.strip_prefix("index ") {
        return index(blobs);
    }
    let alike = line.strip_prefix("similarity index ").or_else(|| line.strip_prefix("dissimilarity index "));
    let percent = alike?.strip_suffix('%')?;
    let is_number = (1..=3).contains(&percent.len()) && percent.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| Head::Is(Vec::new()))
}

/// `old..new mode` as hex and six digits; the mode is there when it stays.
fn index(blobs: &str) -> Option<Head<'_>> {
    let (blobs, mode) = blobs.split_once(' ').map_or((blobs, None), |(blobs, mode)| (blobs, Some(mode)));
    let (old, new) = blobs.split_once("..")?;
    let is_blob = |hex: &str| (4..=64).contains(&hex.len()) && hex.bytes().all(|digit| digit.is_ascii_hexdigit());
    let fits = is_blob(old) && is_blob(new) && mode.is_none_or(is_mode);
    fits.then(|| Head::Is(mode.and_then(of_mode).into_iter().collect()))
}

fn is_mode(mode: &str) -> bool {
    mode.len() == 6 && mode.bytes().all(|digit| matches!(digit, b'0'..=b'7'))
}
