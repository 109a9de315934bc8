//! The shapes of real screens, and of prose that would like to be one.

use super::{Doubt, Form, extract};
use crate::domain::dialog::Dialog;

fn dialog(title: &str, question: &str, body: &str) -> Dialog {
    Dialog { title: title.into(), question: question.into(), body: body.into(), ..Dialog::default() }
}

#[test]
fn commands_are_found() {
    for (title, body, want) in [
        ("Bash command", "cargo test -p core", Some("cargo test -p core")),
        ("Bash command", "\ncargo test -p core\n", Some("cargo test -p core")),
        ("Shell", "rm -f a.txt", Some("rm -f a.txt")),
        ("Bash command", "", None),
        ("Permission", "cargo test", None),
        ("Tool use", "tidepool - create_ticket(queue: \"ops\") (MCP)", None),
    ] {
        let subject = extract(&dialog(title, "Do you want to proceed?", body));
        assert_eq!((subject.command.as_deref(), subject.doubt), (want, None), "{title}: {body}");
    }
    for body in [
        "cargo build\nBuild workspace",
        "ls\nRscript evil.R",
        "ls\nTerraform destroy all",
        "ls\nSsh host reboot now",
        "cargo test\n\nls",
        "cargo test\nMake install now",
        "cargo test\nrm x",
        "cargo test\nA b\nC d",
    ] {
        let subject = extract(&dialog("Bash command", "Do you want to proceed?", body));
        assert_eq!((subject.command.as_deref(), subject.doubt), (Some(body), Some(Doubt::WhichLine)), "{body}");
    }
    let codex = extract(&dialog("", "Would you like to run the following command?", ""));
    assert_eq!((codex.form, codex.command), (Form::Command, None));
}

#[test]
fn files_are_found() {
    let edit = "Do you want to make this edit to";
    for (title, question, body, want) in [
        ("Edit file", format!("{edit} src/lib.rs?"), "src/lib.rs\n- a\n+ b", &["src/lib.rs"][..]),
        ("Edit file", format!("{edit} limits.rs?"), "src/limits.rs\n41 -  if n {", &["src/limits.rs"]),
        ("Edit file", format!("{edit} src/a.rs?"), "other/a.rs\n- a", &["src/a.rs", "other/a.rs"]),
        ("Edit file", format!("{edit} Cargo.toml?"), "Cargo.toml\n- a", &["Cargo.toml"]),
        (
            "Edit file",
            format!("{edit} docs/release notes.md?"),
            "docs/release notes.md\n- a",
            &["docs/release notes.md"],
        ),
        ("", "Do you want to create README.md?".into(), "", &["README.md"]),
        (
            "Apply patch",
            "Apply patch?".into(),
            "*** Update File: src/a.rs\n@@\n-a\n*** Add File: b.rs\n+b",
            &["src/a.rs", "b.rs"],
        ),
        (
            "Would you like to make the following edits?",
            "Would you like to make the following edits?".into(),
            "Reason: x\nsrc/queue.rs (+3 -1)\n18 - a\nb.rs (+1 -0)",
            &["src/queue.rs", "b.rs"],
        ),
        ("", "Would you like to make the following edits?".into(), "Destination: /w/a.txt", &["/w/a.txt"]),
        ("Edit", "Apply this change?".into(), "src/metrics.rs\n58 - x", &["src/metrics.rs"]),
        ("WriteFile  Writing to a.txt", "Apply this change?".into(), "1 - hi\n1 + hello", &["a.txt"]),
        ("→ Edit a.txt", "Permission required".into(), "1 - hi", &["a.txt"]),
        ("Delete file", "Do you want to proceed?".into(), "src/old.rs", &["src/old.rs"]),
        ("Delete file", "Do you want to proceed?".into(), "", &[]),
        ("Edit", "Apply this change?".into(), "1 - hi", &[]),
        // What the head of the body names beside the question's file is written too.
        ("MultiEdit", format!("{edit} src/a.rs?"), "src/a.rs\n/etc/passwd\n- a", &["src/a.rs", "/etc/passwd"]),
        ("Edit file", format!("{edit} src/a.rs?"), "../b.rs\n- a\n+ b", &["src/a.rs", "../b.rs"]),
        ("Apply patch", "Apply patch?".into(), "--- a/src/a.rs\n+++ b/../x.rs\n@@", &["src/a.rs", "../x.rs"]),
        ("Apply patch", "Apply patch?".into(), "--- /dev/null\n+++ b/x.rs\n@@", &["x.rs"]),
    ] {
        let subject = extract(&dialog(title, &question, body));
        assert_eq!(subject.files, want, "{title} {question}");
        assert_eq!(subject.doubt, None, "{title} {question}");
    }
    let removes = extract(&dialog("Apply patch", "Apply patch?", "*** Update File: a.rs\n@@\n*** Delete File: b.rs"));
    assert_eq!(removes.doubt, Some(Doubt::Removes));
    let bare = extract(&dialog("Edit file", &format!("{edit} lib.rs?"), "(diff)"));
    assert_eq!(bare.doubt, Some(Doubt::WhichFolder));
}

#[test]
fn parts_that_disagree_are_in_doubt() {
    for (title, question) in [
        ("Bash command", "Do you want to make this edit to src/a.rs?"),
        ("Bash command", "Do you want to delete src/a.rs?"),
        ("Bash command", "Do you want to allow the agent to fetch this content?"),
        ("Edit file", "Run this command?"),
        ("Delete file", "Do you want to run this command?"),
        ("Fetch", "Do you want to run this command?"),
    ] {
        let subject = extract(&dialog(title, question, "src/a.rs\nrm -rf x"));
        assert_eq!(subject.doubt, Some(Doubt::Contradiction), "{title} {question}");
        assert_eq!(subject.command.as_deref(), Some("src/a.rs\nrm -rf x"), "{title} {question}");
    }
    let other = extract(&dialog("Edit file", "Do you want to delete src/a.rs?", "src/a.rs"));
    assert_eq!((other.doubt, other.command), (Some(Doubt::Contradiction), None));
    let two = extract(&dialog("Delete file", "Do you want to delete src/a.rs?", "b.rs\nc.rs"));
    assert_eq!((two.files, two.doubt), (vec!["src/a.rs".to_owned(), "b.rs".into()], Some(Doubt::UnreadPatch)));
}

#[test]
fn addresses_are_found() {
    let subject = extract(&dialog(
        "Fetch",
        "Do you want to allow Claude to fetch this content?",
        "https://docs.example/a\nClaude wants to fetch content from https://other.example",
    ));
    assert_eq!(subject.urls, ["https://docs.example/a", "https://other.example"]);
    assert_eq!(extract(&dialog("Fetch", "", "")).urls, Vec::<String>::new());
}

#[test]
fn prose_chooses_nothing() {
    let mut prose = dialog("Bash command", "Do you want to proceed?", "Allowed by policy: cargo test.");
    prose.command = Some("python3 tools/sync.py".into());
    prose.context = "Edit file src/a.rs".into();
    assert_eq!(extract(&prose).command.as_deref(), Some("python3 tools/sync.py"));
    let only_context =
        Dialog { context: "$ cargo test".into(), ..dialog("Bash command", "Do you want to proceed?", "") };
    assert_eq!(extract(&only_context).command, None);
    let mut both = dialog("Edit file", "Do you want to make this edit to src/a.rs?", "src/a.rs");
    both.command = Some("cargo test".into());
    assert_eq!(extract(&both).doubt, Some(Doubt::Contradiction));
}

#[test]
fn the_name_of_somebodys_tool_chooses_nothing() {
    for tool in [
        "do you want to create a.md",
        "run this command",
        "apply this change",
        "to fetch this content?",
        "delete file a",
    ] {
        for question in
            [format!("Allow the acme MCP server to run tool \"{tool}\"?"), format!("Allow execution of {tool}?")]
        {
            let subject = extract(&dialog("", &question, "cargo test"));
            assert_eq!((subject.form, subject.command, subject.files.len()), (Form::Other, None, 0), "{question}");
        }
    }
}
