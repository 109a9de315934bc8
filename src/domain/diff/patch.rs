//! Reads a unified diff, leniently but without losing a line: what does not fit is shown as a remark.

use super::header::{path, range, starts_file, starts_names};
use super::lines::{Numbered, count};
use super::special::{of_mode, of_name};
use super::{Change, Diff, File, Hunk, Note};
use crate::domain::text::{Kind, Shown, show};

/// Reads a text as a unified diff; `None` when it is none.
pub fn parse(text: &str) -> Option<Diff> {
    let lines: Vec<&str> = super::lines::split(text).0;
    let first = (0..lines.len()).find(|at| starts_file(&lines[*at..]))?;
    let mut reader = Reader::default();
    let mut at = first;
    while at < lines.len() {
        at += reader.step(&lines[at..]);
    }
    reader.close_file();
    // A text that merely quotes a header is no patch.
    if !reader.files.iter().any(|file| !file.hunks.is_empty() || !file.notes.is_empty()) {
        return None;
    }
    let preamble = show(lines[..first].join("\n").trim_end(), Kind::Prose);
    Some(Diff::of(preamble, reader.files, reader.numbered.warnings))
}

#[derive(Default)]
struct Reader {
    files: Vec<File>,
    file: Option<File>,
    names: [Option<String>; 2],
    /// Old and new lines that the open hunk still promises.
    due: [usize; 2],
    /// Lines of the old file that were passed, to tell how many lie between hunks.
    passed: usize,
    numbered: Numbered,
}

impl Reader {
    /// Takes one line, or the two name lines; gives how many.
    fn step(&mut self, lines: &[&str]) -> usize {
        let line = lines[0];
        if self.due != [0, 0] && self.body(line) {
            return 1;
        }
        if let Some(names) = line.strip_prefix("diff --git ") {
            self.open_file();
            self.git_names(names);
        } else if starts_names(lines) {
            if self.file.as_ref().is_none_or(|file| !file.hunks.is_empty()) {
                self.open_file();
            }
            self.two_names(&line[4..], &lines[1][4..]);
            return 2;
        } else if let Some((starts, counts, section)) = range(line) {
            self.open_hunk(starts, counts, section);
        } else if !self.header(line) {
            self.leftover(line);
        }
        1
    }

    /// A line of the open hunk, if it can be one.
    fn body(&mut self, line: &str) -> bool {
        let (change, text) = match line.as_bytes().first() {
            Some(b'+') => (Change::Added, &line[1..]),
            Some(b'-') => (Change::Removed, &line[1..]),
            Some(b' ') => (Change::Same, &line[1..]),
            Some(b'\\') => (Change::Remark, line),
            // Editors strip the blank of an empty line.
            None => (Change::Same, line),
            Some(_) => return self.miscounted(),
        };
        let takes = match change {
            Change::Same => [1, 1],
            Change::Added => [0, 1],
            Change::Removed => [1, 0],
            Change::Remark => [0, 0],
        };
        if takes[0] > self.due[0] || takes[1] > self.due[1] {
            return self.miscounted();
        }
        self.due = [self.due[0] - takes[0], self.due[1] - takes[1]];
        self.push(change, text);
        true
    }

    fn miscounted(&mut self) -> bool {
        self.due = [0, 0];
        self.note(Note::Miscounted);
        false
    }

    fn push(&mut self, change: Change, text: &str) {
        let line = self.numbered.line(change, text, &[]);
        self.passed = self.numbered.old;
        let file = self.file.get_or_insert_default();
        if file.hunks.is_empty() {
            file.hunks.push(Hunk::default());
        }
        if let Some(hunk) = file.hunks.last_mut() {
            hunk.lines.push(line);
        }
    }

    /// A line outside of a promised hunk: still a change if it looks like one, else a remark.
    fn leftover(&mut self, line: &str) {
        let in_hunk = self.file.as_ref().is_some_and(|file| !file.hunks.is_empty());
        let (change, text) = match line.as_bytes().first() {
            Some(b'+') if in_hunk => (Change::Added, &line[1..]),
            Some(b'-') if in_hunk => (Change::Removed, &line[1..]),
            Some(b' ') if in_hunk => (Change::Same, &line[1..]),
            None => return,
            _ => (Change::Remark, line),
        };
        if change != Change::Remark {
            self.note(Note::Miscounted);
        }
        self.push(change, text);
    }

    fn open_file(&mut self) {
        self.close_file();
        self.file = Some(File::default());
    }

    fn close_file(&mut self) {
        if self.due != [0, 0] {
            self.miscounted();
        }
        let Some(mut file) = self.file.take() else {
            return;
        };
        let [old, new] = std::mem::take(&mut self.names);
        let name = new.clone().or_else(|| old.clone()).unwrap_or_default();
        file.notes.extend(of_name(&name));
        file.name = show(&name, Kind::Command);
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            file.old_name = show(&old, Kind::Command);
        }
        count(&mut file);
        self.files.push(file);
        (self.passed, self.numbered.old, self.numbered.new) = (0, 0, 0);
    }

    fn note(&mut self, note: Note) {
        let file = self.file.get_or_insert_default();
        if !file.notes.contains(&note) {
            file.notes.push(note);
        }
    }

    /// The names of a `diff --git` line, which may hold blanks: both halves are alike, or quoted.
    fn git_names(&mut self, names: &str) {
        let half = names.len() / 2;
        let (old, new) = match (names.is_char_boundary(half), names.split_once(" b/")) {
            (true, _) if names[half..].starts_with(' ') => names.split_at(half),
            (_, Some((old, new))) => (old, new),
            _ => (names, names),
        };
        self.names = [path(old).map(str::to_owned), path(new.trim_start()).map(str::to_owned)];
    }

    fn two_names(&mut self, old: &str, new: &str) {
        let (old, new) = (path(old), path(new));
        match (old, new) {
            (None, Some(_)) => self.note(Note::Created),
            (Some(_), None) => self.note(Note::Deleted),
            _ => {}
        }
        self.names = [old.map(str::to_owned), new.map(str::to_owned)];
    }

    fn open_hunk(&mut self, starts: [usize; 2], counts: [usize; 2], section: &str) {
        // An empty side starts at the line before it.
        let before = |index: usize| {
            if counts[index] == 0 { starts[index] } else { starts[index].saturating_sub(1) }
        };
        let skipped = before(0).saturating_sub(self.passed);
        (self.numbered.old, self.numbered.new) = (before(0), before(1));
        self.due = counts;
        let section = if section.is_empty() { Shown::default() } else { show(section, Kind::Document) };
        self.numbered.warnings.merge(&section.warnings);
        self.file.get_or_insert_default().hunks.push(Hunk { skipped, section, ..Hunk::default() });
    }

    /// The lines between `diff --git` and the first hunk.
    fn header(&mut self, line: &str) -> bool {
        let line = line.trim_end_matches('\r');
        let mode = |note: Option<Note>, reader: &mut Self| {
            if let Some(note) = note {
                reader.note(note);
            }
        };
        if let Some(new) = line.strip_prefix("new file mode ") {
            self.note(Note::Created);
            mode(of_mode(new), self);
        } else if line.starts_with("deleted file mode ") {
            self.note(Note::Deleted);
        } else if let Some(old) = line.strip_prefix("old mode ") {
            self.note(Note::Mode(old.to_owned(), String::new()));
        } else if let Some(new) = line.strip_prefix("new mode ") {
            self.new_mode(new);
            mode(of_mode(new), self);
        } else if let Some(name) = line.strip_prefix("rename from ").or_else(|| line.strip_prefix("copy from ")) {
            self.note(if line.starts_with("copy") { Note::Copied } else { Note::Renamed });
            self.names[0] = Some(name.to_owned());
        } else if let Some(name) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            self.names[1] = Some(name.to_owned());
        } else if line.starts_with("Binary files ") || line == "GIT binary patch" {
            self.note(Note::Binary);
        } else if let Some(rest) = line.strip_prefix("index ") {
            mode(rest.split_once(' ').and_then(|(_, kept)| of_mode(kept)), self);
        } else {
            return line.starts_with("similarity index ") || line.starts_with("dissimilarity index ");
        }
        true
    }

    fn new_mode(&mut self, new: &str) {
        let notes = &mut self.file.get_or_insert_default().notes;
        match notes.iter_mut().find_map(|note| if let Note::Mode(_, to) = note { Some(to) } else { None }) {
            Some(to) => new.clone_into(to),
            None => notes.push(Note::Mode(String::new(), new.to_owned())),
        }
    }
}
