//! The difference between two texts, with unchanged stretches folded.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, InlineChangeOptions, TextDiff};

use super::lines::{Numbered, count, split};
use super::{Change, Diff, File, Hunk, Note};
use crate::domain::text::Shown;

/// Unchanged lines kept around a change.
const CONTEXT: usize = 3;
/// More lines than this are compared as one block: the search is quadratic in the worst case.
const MAX_COMPARED: usize = 12_000;
/// Pairs beyond these sizes show no changed words: the search within them costs more than it tells.
const MAX_PAIRED_LINES: usize = 200;
const MAX_PAIRED_BYTES: usize = 16 * 1024;
/// Less alike than this, marks within lines are noise.
const MIN_ALIKE: f32 = 0.3;

/// Compares two versions of one text. `name` may be empty.
pub fn compare(name: Shown, base: &str, body: &str) -> Diff {
    let ((old, old_ends), (new, new_ends)) = (split(base), split(body));
    let mut file = File { name, ..File::default() };
    if old_ends != new_ends {
        file.notes.push(if new_ends { Note::GainsLineEnd } else { Note::LosesLineEnd });
    }
    let mut numbered = Numbered::default();
    file.hunks = hunks(&old, &new, &mut numbered);
    count(&mut file);
    Diff::of(Shown::default(), vec![file], numbered.warnings)
}

fn hunks(old: &[&str], new: &[&str], numbered: &mut Numbered) -> Vec<Hunk> {
    let diff = if old.len() + new.len() > MAX_COMPARED {
        None
    } else {
        Some(TextDiff::configure().algorithm(Algorithm::Histogram).diff_slices(old, new))
    };
    let ops = diff.as_ref().map_or_else(|| blocks(old, new), |diff| diff.ops().to_vec());
    let mut hunks = Vec::new();
    let mut hunk = Hunk::default();
    let last = ops.len().saturating_sub(1);
    for (index, op) in ops.iter().enumerate() {
        if let DiffOp::Equal { old_index, len, .. } = *op {
            let lines = &old[old_index..old_index + len];
            let head = if index == 0 { 0 } else { CONTEXT };
            let tail = if index == last { 0 } else { CONTEXT };
            same(lines, (head, tail), numbered, (&mut hunk, &mut hunks));
            continue;
        }
        let strong = diff.as_ref().map(|diff| emphasis(diff, op)).unwrap_or_default();
        for (offset, at) in op.old_range().enumerate() {
            hunk.lines.push(numbered.line(Change::Removed, old[at], of(&strong.0, offset)));
        }
        for (offset, at) in op.new_range().enumerate() {
            hunk.lines.push(numbered.line(Change::Added, new[at], of(&strong.1, offset)));
        }
    }
    if !hunk.lines.is_empty() || hunk.skipped > 0 {
        hunks.push(hunk);
    }
    hunks
}

/// Adds an unchanged stretch: a few lines of context, the middle folded into the next hunk.
fn same(
    lines: &[&str],
    (head, tail): (usize, usize),
    numbered: &mut Numbered,
    (hunk, hunks): (&mut Hunk, &mut Vec<Hunk>),
) {
    let shown = |lines: &[&str], numbered: &mut Numbered| -> Vec<_> {
        lines.iter().map(|line| numbered.line(Change::Same, line, &[])).collect()
    };
    if lines.len() <= head + tail + 1 {
        hunk.lines.extend(shown(lines, numbered));
        return;
    }
    let (before, rest) = lines.split_at(head);
    let (middle, after) = rest.split_at(rest.len() - tail);
    hunk.lines.extend(shown(before, numbered));
    if !hunk.lines.is_empty() {
        hunks.push(std::mem::take(hunk));
    }
    hunk.skipped = middle.len();
    hunk.folded = shown(middle, numbered);
    hunk.lines.extend(shown(after, numbered));
}

/// The difference as one block between an equal start and an equal end.
fn blocks(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (old.len() - start - end, new.len() - start - end);
    let all = [
        DiffOp::Equal { old_index: 0, new_index: 0, len: start },
        DiffOp::Replace { old_index: start, old_len, new_index: start, new_len },
        DiffOp::Equal { old_index: start + old_len, new_index: start + new_len, len: end },
    ];
    all.into_iter().filter(|op| !(op.old_range().is_empty() && op.new_range().is_empty())).collect()
}

type Ranges = Vec<Vec<Range<usize>>>;

fn of(ranges: &Ranges, line: usize) -> &[Range<usize>] {
    ranges.get(line).map_or(&[], Vec::as_slice)
}

/// Which bytes of the replaced and the replacing lines differ.
fn emphasis(diff: &TextDiff<'_, '_, str>, op: &DiffOp) -> (Ranges, Ranges) {
    let bytes = |slices: &mut dyn Iterator<Item = usize>| slices.sum::<usize>();
    let size = bytes(&mut op.old_range().filter_map(|at| diff.old_slice(at)).map(str::len))
        + bytes(&mut op.new_range().filter_map(|at| diff.new_slice(at)).map(str::len));
    let pairs = op.old_range().len().max(op.new_range().len());
    if op.tag() != DiffTag::Replace || pairs > MAX_PAIRED_LINES || size > MAX_PAIRED_BYTES {
        return Default::default();
    }
    let (mut old, mut new) = (Ranges::new(), Ranges::new());
    let mut options = InlineChangeOptions::new();
    options.min_ratio(MIN_ALIKE).semantic_cleanup(true);
    for change in diff.iter_inline_changes_with_options(op, options) {
        let mut at = 0;
        let mut ranges = Vec::new();
        for (strong, value) in change.values() {
            if *strong {
                ranges.push(at..at + value.len());
            }
            at += value.len();
        }
        // A line that changed as a whole needs no mark within.
        if ranges.len() == 1 && ranges[0] == (0..at) {
            ranges.clear();
        }
        if change.old_index().is_some() {
            old.push(ranges);
        } else {
            new.push(ranges);
        }
    }
    (old, new)
}
