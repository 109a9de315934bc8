//! What a change must look like, and that no line of it is lost.

mod lossless;

use proptest::prelude::*;

use super::*;

fn text(line: &Line) -> String {
    line.tokens.iter().map(|token| token.text.as_str()).collect()
}

fn words(shown: &Shown) -> String {
    shown.tokens.iter().map(|token| token.text.as_str()).collect()
}

fn drawn(diff: &Diff) -> String {
    let mut out = String::new();
    for hunk in diff.files.iter().flat_map(|file| &file.hunks) {
        if hunk.skipped > 0 {
            out += &["... ", &hunk.skipped.to_string(), "\n"].concat();
        }
        for line in &hunk.lines {
            let sign = match line.change {
                Change::Same => ' ',
                Change::Added => '+',
                Change::Removed => '-',
                Change::Remark => '#',
            };
            out += &(sign.to_string() + &text(line) + "\n");
        }
    }
    out
}

fn plain(diff: &Diff, at: usize) -> String {
    words(&diff.files[at].name)
}

#[test]
fn two_versions_are_compared_with_context_and_folds() {
    let base = (1..=20).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    let body = base.replace("line 10\n", "line ten\nand more\n");
    let diff = compare(Shown::default(), &base, &body);
    assert_eq!((diff.added, diff.removed), (2, 1));
    assert_eq!(
        drawn(&diff),
        "... 6\n line 7\n line 8\n line 9\n-line 10\n+line ten\n+and more\n line 11\n line 12\n line 13\n... 7\n"
    );
    assert_eq!(diff.files[0].hunks[0].folded.len(), 6);
    let changed: Vec<_> = diff.files[0].hunks[0].lines.iter().filter(|line| line.change == Change::Added).collect();
    assert!(changed[0].tokens.iter().any(|token| token.class == "hot" && token.text.contains("ten")), "{changed:?}");
    assert_eq!((changed[0].old, changed[0].new), (None, Some(10)));
}

#[test]
fn the_end_of_a_file_is_told() {
    let notes = |base, body| compare(Shown::default(), base, body).files[0].notes.clone();
    assert_eq!(notes("a\n", "a"), [Note::LosesLineEnd]);
    assert_eq!(notes("a", "a\n"), [Note::GainsLineEnd]);
    assert!(notes("", "a\n").is_empty());
}

const PATCH: &str = "Subject: tidy up

diff --git a/src/main.rs b/src/main.rs
index 1a2b3c4..5d6e7f8 100644
--- a/src/main.rs
+++ b/src/main.rs
@@ -10,3 +10,4 @@ fn main() {
 a
--- b
+c
+d
 e
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/l b/l
new file mode 120000
--- /dev/null
+++ b/l
@@ -0,0 +1 @@
+/etc/passwd
\\ No newline at end of file
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
diff --git a/Cargo.lock b/Cargo.lock
deleted file mode 100644
--- a/Cargo.lock
+++ /dev/null
@@ -1 +0,0 @@
-x
";

#[test]
fn a_patch_is_read_file_by_file() {
    let diff = parse(PATCH).unwrap();
    assert_eq!(diff.files.len(), 5);
    assert_eq!((diff.added, diff.removed), (3, 2));
    assert_eq!(diff.preamble.tokens[0].text, "Subject: tidy up");
    assert_eq!(plain(&diff, 0), "src/main.rs");
    assert_eq!(diff.files[0].hunks[0].skipped, 9);
    assert_eq!(text(&diff.files[0].hunks[0].lines[1]), "-- b");
    assert_eq!(diff.files[0].notes, []);
    assert_eq!(diff.files[1].notes, [Note::Mode("100644".into(), "100755".into()), Note::Executable]);
    assert_eq!(diff.files[2].notes, [Note::Created, Note::Symlink]);
    assert_eq!(diff.files[3].notes, [Note::Binary]);
    assert_eq!(diff.files[4].notes, [Note::Deleted, Note::LockFile]);
}

#[test]
fn a_patch_with_wrong_counts_is_shown_whole_and_flagged() {
    let raw = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n+sneaked in\n";
    let diff = parse(raw).unwrap();
    assert_eq!(drawn(&diff), " a\n-b\n+c\n+sneaked in\n");
    assert!(diff.files[0].notes.contains(&Note::Miscounted));
    let cut = parse("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n").unwrap();
    assert!(cut.files[0].notes.contains(&Note::Miscounted));
}

#[test]
fn what_looks_like_a_header_is_shown_wherever_git_would_not_read_it() {
    let after = "index me\nsimilarity index me\nBinary files me\nnew file mode 100755\nrename to harmless\n\nlast\n";
    let raw = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ hidden\n-a\n+b\n".to_owned() + after;
    let diff = parse(&raw).unwrap();
    let remarks: String = after.lines().map(|line| ["#", line, "\n"].concat()).collect();
    assert_eq!(drawn(&diff), "-a\n+b\n".to_owned() + &remarks);
    assert_eq!((plain(&diff, 0).as_str(), &diff.files[0].notes), ("x", &vec![]));
    assert_eq!(words(&diff.files[0].hunks[0].section), "hidden");
    assert_eq!(words(&diff.as_sent), raw);
    let near =
        "index 12345..67890 rm\nindex 1..zz\nsimilarity index 9%9\nold mode 10064x\nBinary files a and b differ\n";
    for line in near.lines() {
        let diff = parse(&["diff --git a/x b/x\n", line, "\n@@ -1 +1 @@\n-a\n+b\n"].concat()).unwrap();
        assert_eq!(drawn(&diff), ["#", line, "\n-a\n+b\n"].concat());
    }
}

#[test]
fn names_that_do_not_agree_are_all_shown() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let raw = "diff --git a/harmless b/harmless\nrename to decoy\n--- a/x\told\n+++ b/x\trm -rf\n".to_owned() + hunk;
    let diff = parse(&raw).unwrap();
    assert_eq!(plain(&diff, 0), "x");
    assert!(diff.files[0].notes.contains(&Note::Misnamed));
    let said: Vec<String> = diff.files[0].hunks[0].lines.iter().map(text).collect();
    assert_eq!(said[..2], ["diff --git a/harmless b/harmless", "rename to decoy"]);
    assert!(said[2].starts_with("--- a/x") && said[3].contains("rm -rf"), "{said:?}");
    let renamed =
        "diff --git a/old b/new\nsimilarity index 90%\nrename from old\nrename to new\n--- a/old\n+++ b/new\n";
    let diff = parse(&(renamed.to_owned() + hunk)).unwrap();
    assert_eq!((words(&diff.files[0].old_name), plain(&diff, 0)), ("old".into(), "new".into()));
    assert_eq!((drawn(&diff), &diff.files[0].notes), ("-a\n+b\n".into(), &vec![Note::Renamed]));
}

#[test]
fn a_text_that_is_no_patch_is_none() {
    for raw in ["", "hello\n", "--- a\n+++ b\nno hunk\n", "- a\n+ b\n", "diff --git a/x b/x\n"] {
        assert!(parse(raw).is_none(), "{raw:?}");
    }
}

#[test]
fn length_is_told() {
    assert!(is_long(&"x".repeat(65 * 1024)));
    assert!(is_long(&"\n".repeat(5_000)));
    assert!(!is_long(&"x\n".repeat(4_000)));
}

#[test]
fn the_worst_comparison_stays_bounded() {
    let base = (0..9_000).map(|n| format!("{}\n", n * 7919 % 9_001)).collect::<Vec<_>>().concat();
    let body = (0..9_000).map(|n| format!("{}\n", n * 104_729 % 9_001)).collect::<Vec<_>>().concat();
    let diff = compare(Shown::default(), &base, &body);
    assert!(diff.added > 0);
}

proptest! {
    #[test]
    fn both_texts_can_be_read_back(base in "([ab<\\r]{0,2}\n){0,12}", body in "([ab<\\r]{0,2}\n){0,12}") {
        let diff = compare(Shown::default(), &base, &body);
        let all = |hunk: &Hunk| hunk.folded.iter().chain(&hunk.lines).cloned().collect::<Vec<_>>();
        let lines: Vec<Line> = diff.files[0].hunks.iter().flat_map(all).collect();
        let side = |gone: Change| lines.iter().filter(|line| line.change != gone).map(|line| text(line) + "\n").collect::<String>();
        prop_assert_eq!(side(Change::Added), base.replace('\r', "CR"));
        prop_assert_eq!(side(Change::Removed), body.replace('\r', "CR"));
    }
}
