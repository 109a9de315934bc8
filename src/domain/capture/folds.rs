//! Signs by which agents say that they do not show everything.

/// Whether one line of a body says that something is folded away.
pub(super) fn is_fold(line: &str) -> bool {
    let line = line.trim();
    // A line that only cuts.
    let bare = line.trim_matches(|c: char| matches!(c, '.' | '…' | ' '));
    (bare.is_empty() && (line.contains('…') || line.contains("..."))) || line.ends_with('…') || in_line(line)
}

/// `+12 lines`, `31 hidden`, `12 more lines`, `(ctrl+o to expand)`, `[truncated]`.
pub(super) fn in_line(line: &str) -> bool {
    if !line.bytes().any(|b| b.is_ascii_digit()) && !line.contains('(') && !line.contains('[') && !line.contains('<') {
        return false;
    }
    let folded = line.to_lowercase();
    let marked =
        ["to expand)", "(truncated", "[truncated", "<truncated", "(collapsed", "(ctrl+o)", "(ctrl+r)", "ctrl+o to"];
    marked.iter().any(|mark| folded.contains(mark)) || counts(&folded)
}

/// A number, and that so many lines are not shown.
fn counts(folded: &str) -> bool {
    const WHAT: &[&str] = &["lines", "line", "rows", "row", "characters", "chars"];
    const BEFORE: &[&str] = &["hidden", "more", "omitted", "truncated", "collapsed"];
    const BEHIND: &[&str] = &["hidden", "omitted", "truncated", "collapsed", "not"];
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric() && c != '+').filter(|word| !word.is_empty()).collect();
    words.windows(2).enumerate().any(|(at, two)| {
        let plus = two[0].strip_prefix('+');
        let number = plus.unwrap_or(two[0]);
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return false;
        }
        let next = words.get(at + 2).copied().unwrap_or_default();
        (plus.is_some() && WHAT.contains(&two[1]))
            || two[1] == "hidden"
            || (BEFORE.contains(&two[1]) && WHAT.contains(&next))
            || (WHAT.contains(&two[1]) && BEHIND.contains(&next))
    })
}

/// A path with its middle left out: `src/.../parser.rs`.
pub(super) fn in_path(text: &str) -> bool {
    text.contains("/.../") || text.contains("...") && text.split_whitespace().any(|word| word.starts_with(".../"))
}
