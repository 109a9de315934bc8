//! The files that the body of an edit names. Whoever reads only some of its lines approves the others unseen, so every
//! line outside a hunk is understood or raises a doubt.

use super::Doubt;
use super::edit::{add, base};

/// Every file that a body names, and whether that is all of it.
#[derive(Debug, Default)]
pub(super) struct Patch {
    pub(super) files: Vec<String>,
    pub(super) doubt: Option<Doubt>,
}

/// Lines that name a file, with all that follows.
const NAMING: &[&str] = &["*** Update File: ", "*** Add File: ", "Destination: "];
/// Lines that name one that is gone afterwards, or the one that stands in its place.
const REMOVING: &[&str] = &["*** Delete File: ", "*** Move to: ", "rename from ", "rename to "];
/// Lines that name one of the two files of a copy.
const COPYING: &[&str] = &["copy from ", "copy to "];
/// Lines that change nothing by themselves.
const MARKERS: &[&str] = &["*** Begin Patch", "*** End Patch", "*** End of File"];
/// What an agent says of its edit, and how alike two files are.
const SAYING: &[&str] = &["Reason: ", "Description: ", "similarity index ", "dissimilarity index "];

/// Where in a body a line stands.
#[derive(Clone, Copy)]
enum Place {
    /// Between hunks, where files are named.
    Outside,
    /// In a hunk that does not say how long it is.
    Loose,
    /// In a hunk with so many lines of the old and the new text still to come.
    Counted(usize, usize),
}

struct Reader<'a> {
    patch: Patch,
    place: Place,
    /// A unified diff has headers, whose hunks all begin with `@@`.
    unified: bool,
    /// The hunk has a line that would be a header outside; only counts that come out tell the two apart.
    odd: bool,
    /// What title and question call the file.
    named: &'a [&'a str],
}

/// Reads a body; `named` is what title and question call the file, which a body may repeat in any form.
pub(super) fn read(body: &str, named: &[&str]) -> Patch {
    let mut reader = Reader { patch: Patch::default(), place: Place::Outside, unified: false, odd: false, named };
    for line in body.lines() {
        if !reader.in_hunk(line) {
            reader.outside(line.trim());
        }
    }
    reader.leave();
    reader.patch
}

impl Reader<'_> {
    /// Takes a line of a hunk. Whatever cannot be one ends the hunk and is read as a header.
    fn in_hunk(&mut self, line: &str) -> bool {
        let fits = line.is_empty() || line.starts_with([' ', '+', '-', '\\']);
        match self.place {
            Place::Loose if fits && !is_header(line.trim()) => true,
            Place::Loose if fits => {
                self.unread();
                self.leave();
                false
            }
            Place::Counted(old, new) if fits => {
                let (old, new) = match line.bytes().next() {
                    Some(b'+') => (Some(old), new.checked_sub(1)),
                    Some(b'-') => (old.checked_sub(1), Some(new)),
                    Some(b'\\') => (Some(old), Some(new)),
                    _ => (old.checked_sub(1), new.checked_sub(1)),
                };
                let (Some(old), Some(new)) = (old, new) else {
                    self.leave();
                    return false;
                };
                self.odd |= is_header(line.trim());
                if (old, new) == (0, 0) {
                    self.odd = false;
                    self.place = Place::Outside;
                } else {
                    self.place = Place::Counted(old, new);
                }
                true
            }
            _ => {
                self.leave();
                false
            }
        }
    }

    /// Ends a hunk, whose counts have not come out.
    fn leave(&mut self) {
        if std::mem::take(&mut self.odd) {
            self.unread();
        }
        self.place = Place::Outside;
    }

    fn outside(&mut self, line: &str) {
        let said = SAYING.iter().any(|start| line.starts_with(start)) || is_index(line);
        let nothing = line.is_empty() || line.starts_with('\\') || MARKERS.contains(&line);
        if nothing || (said && counted(line).is_none()) {
            return;
        }
        if line.starts_with("@@") {
            self.place = counts(line).map_or(Place::Loose, |(old, new)| Place::Counted(old, new));
            if line.starts_with("@@@") {
                self.unread();
            }
        } else if is_header(line) {
            self.header(line);
        } else if let Some(path) = counted(line) {
            self.name_word(path);
        } else if self.named.iter().any(|name| line == *name || base(line) == *name) {
            self.name(line);
        } else if self.unified {
            self.unread();
        } else if line.starts_with(['+', '-']) {
            // The hunk of an agent that shows no `@@`.
            self.place = Place::Loose;
        } else if is_path(line) {
            self.name(line);
        } else if !is_numbered(line) {
            self.unread();
        }
    }

    /// A line that names files or says what becomes of them.
    fn header(&mut self, line: &str) {
        let rest = |starts: &[&str]| starts.iter().find_map(|start| line.strip_prefix(start)).map(str::trim);
        if let Some(path) = rest(NAMING).or_else(|| rest(COPYING)) {
            self.name(path);
            if line.starts_with("***") {
                self.place = Place::Loose;
            }
        } else if let Some(path) = rest(REMOVING) {
            self.name(path);
            self.removes();
        } else if let Some(path) = rest(&["--- ", "+++ ", "---\t", "+++\t"]) {
            self.unified = true;
            match path.split('\t').next().unwrap_or(path).trim() {
                "/dev/null" if line.starts_with('+') => self.removes(),
                "/dev/null" => {}
                path => self.name_word(path),
            }
        } else if let Some(both) = rest(&["diff --git "]) {
            self.unified = true;
            match both.split_once(' ') {
                Some((old, new)) if old.starts_with("a/") && new.starts_with("b/") => {
                    self.name_word(old);
                    self.name_word(new);
                }
                _ => self.unread(),
            }
        } else if line.starts_with("deleted file mode ") {
            self.removes();
        } else if line != "new file mode 100644" {
            self.unread();
        }
    }

    /// A name that ends where the line does, unless a blank makes even that uncertain: a time may stand behind it, or
    /// a verb in front.
    fn name_word(&mut self, path: &str) {
        if path.contains(char::is_whitespace) || path.starts_with('"') {
            self.unread();
        }
        match path.split_once('/') {
            Some(("a" | "b", rest)) if self.unified => self.name(rest),
            // Another prefix of git's, or a folder: which of them decides what is written.
            Some((folder, _)) if self.unified && folder.len() == 1 && folder != "." => {
                self.name(path);
                self.unread();
            }
            // Without a prefix; a tool that takes one off all the same writes the rest.
            Some((_, rest)) if self.unified => {
                self.name(path);
                self.name(rest);
            }
            _ => self.name(path),
        }
    }

    fn name(&mut self, path: &str) {
        add(&mut self.patch.files, path);
    }

    fn unread(&mut self) {
        self.patch.doubt = self.patch.doubt.or(Some(Doubt::UnreadPatch));
    }

    /// More certain than what is not understood, so it is what is said.
    fn removes(&mut self) {
        self.patch.doubt = Some(Doubt::Removes);
    }
}

/// Whether a line would name files or change them, wherever it stands. In any case, so that none passes as prose.
fn is_header(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "*** ",
        "--- ",
        "+++ ",
        "---\t",
        "+++\t",
        "diff ",
        "rename ",
        "copy ",
        "old mode",
        "new mode",
        "new file mode",
        "deleted file",
        "git binary patch",
        "binary files ",
        "destination:",
    ];
    let has = |start: &str| line.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    STARTS.iter().any(|start| has(start)) && !MARKERS.contains(&line)
}

/// How many lines of the old and the new text a hunk has: `@@ -10,2 +10,3 @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| match range.split_once(',') {
        Some((start, count)) => start.parse::<usize>().ok().and_then(|_| count.parse().ok()),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some((count(old)?, count(new)?)).filter(|both| *both != (0, 0))
}

/// `PATH (+3 -1)` or `PATH (+3)`.
fn counted(line: &str) -> Option<&str> {
    let (path, counts) = line.strip_suffix(')')?.rsplit_once(" (")?;
    let number = |text: &str| {
        text.strip_prefix(['+', '-'])
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    // A line that is added or taken away may well end so.
    let content = path.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with(['+', '-']);
    (counts.split(' ').all(number) && !content).then_some(path)
}

/// `index 1a2b3c4..5d6e7f8 100644`; of another mode it is a symlink or a module.
fn is_index(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("index ") else { return false };
    let (hashes, mode) = rest.split_once(' ').unwrap_or((rest, "100644"));
    let hex = |hash: &str| !hash.is_empty() && hash.bytes().all(|b| b.is_ascii_hexdigit());
    hashes.split_once("..").is_some_and(|(old, new)| hex(old) && hex(new)) && matches!(mode, "100644" | "100755")
}

/// A line of the file behind its number, as agents show them.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '))
}

/// One word that looks like a path and not like a line of a diff.
fn is_path(line: &str) -> bool {
    !line.contains(char::is_whitespace)
        && !line.starts_with(['+', '-', '@', '(', '*'])
        && (line.contains('/') || line.contains('.'))
}

#[cfg(test)]
mod tests;
