//! Bodies that name more than their first file, and ordinary ones.

use super::{Doubt, read};

/// A good header, behind which something else stands.
const GOOD: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1a2b3c..4d5e6f 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n\
                    @@ -1,2 +1,2 @@ fn a()\n x\n-a\n+b\n";

fn of(body: &str) -> (Vec<String>, Option<Doubt>) {
    let patch = read(body, &[]);
    (patch.files, patch.doubt)
}

#[test]
fn ordinary_bodies_are_read_whole() {
    for (body, want) in [
        (GOOD, &["src/a.rs"][..]),
        ("src/a.rs\n- a\n+ b", &["src/a.rs"]),
        ("src/a.rs\n41 -  if n {\n41 +  if n > 1 {", &["src/a.rs"]),
        ("src/a.rs\n@@ -10,2 +10,3 @@\n context\n-old\n+new", &["src/a.rs"]),
        ("src/a.rs\n1 new file", &["src/a.rs"]),
        ("Reason: x\nsrc/a.rs (+3 -1)\n18 - a\nb.rs (+1)", &["src/a.rs", "b.rs"]),
        ("*** Begin Patch\n*** Update File: src/a.rs\n@@ fn x\n x\n-a\n+b\n*** End Patch", &["src/a.rs"]),
        ("*** Update File: a.rs\n-a\n+b\n*** Add File: my dir/b.rs\n+b", &["a.rs", "my dir/b.rs"]),
        // A line of SQL or Lua is a line of the hunk where the counts say so.
        ("--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,1 @@\n--- old note\n x", &["q.sql"]),
        ("--- /dev/null\t2020-01-01\n+++ b/.mcp.json\t2020-01-01\n@@ -0,0 +1 @@\n+{}", &[".mcp.json"]),
        ("--- /dev/null\n+++ Makefile\n@@ -0,0 +1 @@\n+x", &["Makefile"]),
        // Whether the first folder is taken off is the tool's affair: both are written to.
        ("--- src/a.rs\n+++ src/a.rs\n@@ -1 +1 @@\n-a\n+b", &["src/a.rs", "a.rs"]),
    ] {
        assert_eq!(of(body), (want.iter().map(|file| (*file).to_owned()).collect(), None), "{body}");
    }
}

#[test]
fn what_is_not_understood_is_in_doubt() {
    for more in [
        "GIT binary patch\nliteral 4",
        "Binary files a/x and b/.envrc differ",
        "old mode 100644\nnew mode 100755",
        "new file mode 120000",
        "new file mode 100755",
        "index 1a2b3c..4d5e6f 120000",
        "diff --git a/my dir/x b/my dir/.envrc",
        "diff --git \"a/x\" \"b/.envrc\"",
        "diff --git i/x w/.envrc",
        "diff --cc .envrc",
        "+++ b/my dir/.envrc",
        "+++ .envrc 2020-01-01 00:00",
        "+++ w/.envrc",
        "*** Rename to: .envrc",
        "*** Update file: .envrc",
        "*** update File: .envrc",
        "Edited .envrc (+1 -0)",
        "Reason: Edited .envrc (+1 -0)",
        "1 .envrc (+1 -0)",
        "D src/b.rs",
        " D src/b.rs",
        "renamed: x -> .envrc",
        ".envrc | 2 +-",
        "Destination:.envrc",
        "@@ -1,9 +1,9 @@\n-a\n--- a/x\n+++ b/.envrc",
        "@@\n-a\n--- a/x\n+++ b/.envrc\n@@",
        "@@@ -1 -1 +1 @@@",
    ] {
        assert_eq!(of(&format!("{GOOD}{more}")).1, Some(Doubt::UnreadPatch), "{more}");
    }
    for plain in ["D .envrc", "Edited .envrc (+1 -0)", "Rename to: Makefile", "--- .envrc", "old mode 100644"] {
        assert_eq!(of(&format!("src/a.rs\n- a\n+ b\n{plain}")).1, Some(Doubt::UnreadPatch), "{plain}");
    }
}

#[test]
fn every_file_is_named() {
    for (more, file) in [
        ("diff --git a/src/a.rs b/.envrc\nsimilarity index 90%", ".envrc"),
        ("rename from x\nrename to .envrc", ".envrc"),
        ("copy from x\ncopy to .envrc", ".envrc"),
        ("+++ b/my dir/.envrc", "my dir/.envrc"),
        (".envrc (+1)", ".envrc"),
        ("*** Move to: .envrc", ".envrc"),
        ("  *** Add File: .envrc", ".envrc"),
    ] {
        assert!(of(&format!("{GOOD}{more}")).0.iter().any(|known| known == file), "{more}");
    }
}

#[test]
fn removals_are_more_than_an_edit() {
    for more in [
        "--- a/b.rs\n+++ /dev/null",
        "+++ /dev/null\t1970-01-01",
        "deleted file mode 100644",
        "rename from b.rs\nrename to c.rs",
        "*** Delete File: b.rs",
        "*** Move to: b.rs",
    ] {
        assert_eq!(of(&format!("{GOOD}{more}")).1, Some(Doubt::Removes), "{more}");
    }
}
