//! The header lines of a unified diff, one at a time.

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
    Some(([old_start, new_start], [old_count, new_count], section.trim_end_matches('\r').trim_start()))
}

/// A path without the `a/` or `b/` before it and the time behind it; `None` for `/dev/null`.
pub(super) fn path(raw: &str) -> Option<&str> {
    let raw = raw.split('\t').next().unwrap_or(raw).trim_end_matches('\r');
    let raw = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')).unwrap_or(raw);
    if raw == "/dev/null" {
        return None;
    }
    Some(raw.strip_prefix("a/").or_else(|| raw.strip_prefix("b/")).unwrap_or(raw))
}
