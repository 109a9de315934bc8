//! Reads a unified diff, leniently but without losing a line: what does not fit is shown as a remark.

use super::header::{Head, head, named, range, starts_file, starts_names, two_paths, unended};
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
    let preamble = show(lines[..first].join("\n").trim_end_matches('\n'), Kind::Document);
    // However a patch is read, another tool may read it otherwise: what was sent stays at hand.
    let as_sent = show(text, Kind::Document);
    Some(Diff { as_sent, ..Diff::of(preamble, reader.files, reader.numbered.warnings) })
}

#[derive(Default)]
struct Reader {
    files: Vec<File>,
    file: Option<File>,
    names: [Option<String>; 2],
    /// Between `diff --git` and whatever is no header line.
    in_header: bool,
    /// The open file's lines that name it.
    named: Vec<Naming>,
    /// Old and new lines that the open hunk still promises.
    due: [usize; 2],
    /// Lines of the old file that were passed, to tell how many lie between hunks.
    passed: usize,
    numbered: Numbered,
}

/// A line that names the open file. It needs not be shown itself as long as the file is shown under these names.
struct Naming {
    line: String,
    names: [Option<String>; 2],
    /// There is more in the line than its name.
    more: bool,
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
            self.in_header = true;
            let names = two_paths(unended(names));
            self.says(line, names, false);
            self.names = names.map(|name| name.map(str::to_owned));
            return 1;
        }
        if self.in_header && self.header(unended(line)) {
            return 1;
        }
        self.in_header = false;
        if starts_names(lines) {
            if self.file.as_ref().is_none_or(|file| !file.hunks.is_empty()) {
                self.open_file();
            }
            self.two_names(line, lines[1]);
            return 2;
        }
        match range(line) {
            Some((starts, counts, section)) => self.open_hunk(starts, counts, section),
            None => self.leftover(line),
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
            // The signature of a mailed patch follows after this line.
            _ if line == "-- " => (Change::Remark, line),
            Some(b'+') if in_hunk => (Change::Added, &line[1..]),
            Some(b'-') if in_hunk => (Change::Removed, &line[1..]),
            Some(b' ') if in_hunk => (Change::Same, &line[1..]),
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
        self.explain_names(&mut file);
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

    /// Shows the lines that name the file otherwise than it is shown, or say more, before everything else of it.
    fn explain_names(&mut self, file: &mut File) {
        let mut lines = Vec::new();
        for naming in std::mem::take(&mut self.named) {
            let known = |name: &Option<String>| name.is_none() || self.names.contains(name);
            let agrees = naming.names.iter().all(known);
            if !agrees && !file.notes.contains(&Note::Misnamed) {
                file.notes.push(Note::Misnamed);
            }
            if !agrees || naming.more {
                lines.push(self.numbered.line(Change::Remark, &naming.line, &[]));
            }
        }
        if !lines.is_empty() {
            file.hunks.insert(0, Hunk { lines, ..Hunk::default() });
        }
    }

    fn says(&mut self, line: &str, names: [Option<&str>; 2], more: bool) {
        let names = names.map(|name| name.map(str::to_owned));
        self.named.push(Naming { line: line.to_owned(), names, more });
    }

    fn two_names(&mut self, old: &str, new: &str) {
        let ((old_name, old_more), (new_name, new_more)) = (named(old), named(new));
        match (old_name, new_name) {
            (None, Some(_)) => self.note(Note::Created),
            (Some(_), None) => self.note(Note::Deleted),
            _ => {}
        }
        self.says(old, [old_name, None], old_more);
        self.says(new, [None, new_name], new_more);
        self.names = [old_name, new_name].map(|name| name.map(str::to_owned));
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

    /// A line between `diff --git` and the first hunk; false when it has to be shown.
    fn header(&mut self, line: &str) -> bool {
        // These begin what cannot be shown as lines of the file, and name it in a way of their own.
        if line.starts_with("Binary files ") || line == "GIT binary patch" {
            self.note(Note::Binary);
            return false;
        }
        match head(line) {
            Some(Head::Is(notes)) => notes.into_iter().for_each(|note| self.note(note)),
            Some(Head::OldMode(old)) => self.note(Note::Mode(old.to_owned(), String::new())),
            Some(Head::NewMode(new)) => {
                self.new_mode(new);
                if let Some(note) = of_mode(new) {
                    self.note(note);
                }
            }
            Some(Head::From(old, note)) => {
                self.note(note);
                self.says(line, [Some(old), None], false);
                self.names[0] = Some(old.to_owned());
            }
            Some(Head::To(new)) => {
                self.says(line, [None, Some(new)], false);
                self.names[1] = Some(new.to_owned());
            }
            None => return false,
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
