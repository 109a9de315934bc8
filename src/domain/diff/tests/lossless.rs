//! Whatever lines a patch has, a reader sees all of them.

use proptest::prelude::*;

use super::{Diff, text, words};
use crate::domain::diff::parse;
use crate::domain::text::{Kind, show};

proptest! {
    #[test]
    fn no_line_of_a_patch_is_lost(picked in prop::collection::vec(prop::sample::select(FRAGMENTS.to_vec()), 1..40)) {
        let lines: Vec<String> = picked.iter().enumerate().map(|(n, line)| line.replace('#', &format!("n{n}z"))).collect();
        let raw = lines.join("\n");
        if let Some(diff) = parse(&raw) {
            prop_assert_eq!(words(&diff.as_sent), words(&show(&raw, Kind::Document)));
            let read = everything(&diff);
            for line in &lines {
                prop_assert!(essence(line).iter().all(|part| read.contains(part)), "{line:?} lost from {raw:?} in {read:?}");
            }
        }
    }
}

/// Lines that a patch is made of, and lines that pretend to be such; `#` becomes a number of the line's own.
const FRAGMENTS: &[&str] = &[
    "diff --git a/x# b/x#",
    "diff --git a/x b/x",
    "diff --git a/old# name b/new name#",
    "diff --git #",
    "--- a/x#",
    "+++ b/x#",
    "--- a/x",
    "+++ b/x",
    "--- /dev/null",
    "+++ /dev/null",
    "--- a/x\tuntil #",
    "+++ b/x\t#",
    "@@ -1 +1 @@",
    "@@ -1,2 +1,3 @@ fn #",
    "@@ -0,0 +1 @@",
    "@@ -9,0 +9,0 @@ #",
    "@@ -1 +1 # @@",
    " same#",
    "-gone#",
    "+come#",
    "",
    " ",
    "-- ",
    "-- #",
    "\\ No newline at end of file",
    "\\ #",
    "just words #",
    "index 1a2b3c4..5d6e7f8 100644",
    "index 1a2b3c4..5d6e7f8",
    "index 1a2b3c4..5d6e7f8 #",
    "index #",
    "similarity index 90%",
    "similarity index #%",
    "dissimilarity index 100%",
    "dissimilarity index 1000%#",
    "Binary files a/# and b/# differ",
    "GIT binary patch",
    "new file mode 100755",
    "new file mode 100755 #",
    "deleted file mode 100644",
    "deleted file mode #",
    "old mode 100644",
    "old mode #",
    "new mode 100755",
    "new mode 1007551#",
    "rename from #",
    "rename to #",
    "rename from x",
    "rename to x",
    "copy from #",
    "copy to #",
    "rename to ",
];

/// All that a reader of the parsed patch sees, the text as sent aside.
fn everything(diff: &Diff) -> String {
    let mut all = words(&diff.preamble) + "\n";
    for file in &diff.files {
        all += &(words(&file.old_name) + "\n" + &words(&file.name) + "\n");
        for note in &file.notes {
            all += &(note.text() + "\n");
        }
        for hunk in &file.hunks {
            all += &(words(&hunk.section) + "\n");
            for line in &hunk.lines {
                all += &(text(line) + "\n");
            }
        }
    }
    all
}

/// What of a line has to be seen: all of it, but for the signs and numbers that the page shows in its own way.
fn essence(line: &str) -> Vec<&str> {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if let Some(rest) = line.strip_prefix("diff --git ") {
        return rest.split(' ').map(|part| part.trim_start_matches("a/").trim_start_matches("b/")).collect();
    }
    for start in ["--- ", "+++ "] {
        if let Some(name) = line.strip_prefix(start) {
            return name
                .split('\t')
                .map(|part| part.trim_start_matches("a/").trim_start_matches("b/"))
                .filter(|part| *part != "/dev/null")
                .collect();
        }
    }
    for start in ["rename from ", "rename to ", "copy from ", "copy to "] {
        if let Some(name) = line.strip_prefix(start) {
            return vec![name];
        }
    }
    for start in ["new file mode ", "deleted file mode ", "old mode ", "new mode "] {
        if line.strip_prefix(start).is_some_and(|mode| mode.len() == 6 && digits(mode)) {
            return vec![];
        }
    }
    match line {
        "index 1a2b3c4..5d6e7f8 100644"
        | "index 1a2b3c4..5d6e7f8"
        | "similarity index 90%"
        | "dissimilarity index 100%" => vec![],
        _ if line.starts_with("@@ -1 +1 #") => vec![line],
        _ if line.starts_with("@@ ") => {
            line.rsplit("@@ ").next().filter(|section| !section.ends_with("@@")).into_iter().collect()
        }
        _ => vec![line.strip_prefix(['+', '-', ' ']).unwrap_or(line)],
    }
}
