//! Screens captured from real programs: Codex 0.171.0, Gemini CLI 0.61.0, opencode 1.18.33.

use std::fs;
use std::path::Path;

use countersign::domain::dialog::DialogKind;
use countersign::domain::screen::{AgentKind, Found, Reading, Status, read};
use countersign::pane::frame::{Size, screen};

fn capture(name: &str) -> Reading {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/captures/{name}.txt"));
    let agent = AgentKind::from_word(name.split('-').next().unwrap()).unwrap();
    let cols = name.rsplit('-').next().and_then(|last| last.strip_suffix("cols")).map(|cols| cols.parse().unwrap());
    read(agent, &screen(&fs::read(path).unwrap(), Size { cols, rows: None }))
}

fn dialog(name: &str) -> Found {
    let reading = capture(name);
    assert_eq!((reading.status, reading.safe_to_type), (Status::Blocked, false), "{name}");
    reading.dialog.unwrap()
}

#[test]
fn permissions_are_read_whole() {
    for (name, command, approve, deny) in [
        ("codex-0.171.0-exec-escalated", Some("rm -f a.txt"), 1, 3),
        ("codex-0.171.0-hook-timeout-falls-to-dialog", Some("rm -f a.txt"), 1, 3),
        ("codex-0.171.0-exec-compound-60cols", Some("git push origin main && curl -s https://example.com/x"), 1, 3),
        ("codex-0.171.0-apply-patch", None, 1, 3),
        ("codex-0.171.0-apply-patch-three-files", None, 1, 3),
        ("codex-0.171.0-mcp-tool-approval", None, 1, 4),
        ("gemini-cli-0.61.0-shell", Some("rm -f a.txt"), 1, 3),
        ("gemini-cli-0.61.0-hook-allow-still-dialog", Some("rm -f a.txt"), 1, 3),
        ("gemini-cli-0.61.0-write-file", None, 1, 4),
        ("opencode-1.18.33-bash", Some("rm -f a.txt"), 1, 3),
        ("opencode-1.18.33-edit", None, 1, 3),
        ("opencode-1.18.33-external-directory", None, 1, 3),
    ] {
        let found = dialog(name);
        assert_eq!(found.kind, DialogKind::Permission, "{name}");
        assert_eq!(found.command.as_deref(), command, "{name}");
        assert_eq!((found.approve_option, found.deny_option), (Some(approve), Some(deny)), "{name}");
        assert!(!found.truncated && !found.joined, "{name}");
    }
}

const LONG: &str = "rm -f a.txt && echo one two three four five six seven eight nine ten eleven twelve thirteen";

#[test]
fn wrapped_rows_are_put_together() {
    for (name, command) in [
        ("codex-0.171.0-exec-wrapped-80cols", format!("{LONG} && ls")),
        ("gemini-cli-0.61.0-shell-60cols", format!("{LONG} fourteen fifteen sixteen && ls")),
        ("opencode-1.18.33-bash-sidebar-140cols", format!("{LONG} fourteen fifteen sixteen && ls")),
    ] {
        let found = dialog(name);
        assert_eq!(found.command, Some(command), "{name}");
        assert!(found.joined && !found.truncated, "{name}");
        assert_eq!(found.approve_option, Some(1), "{name}");
    }
    let found = dialog("codex-0.171.0-exec-compound-60cols");
    assert_eq!(
        found.options[1].text,
        "Yes, and don't ask again for commands that start with `git push origin main` (p)"
    );
    assert!(found.options[1].standing);
    assert_eq!(found.options.len(), 3);
}

#[test]
fn the_content_of_edits_is_in_the_body() {
    let body = dialog("gemini-cli-0.61.0-write-file").body.unwrap();
    assert!(body.contains("Writing to a.txt") && body.contains("1 - hi") && body.contains("1 + hello"), "{body}");
    let body = dialog("opencode-1.18.33-edit").body.unwrap();
    assert!(body.contains("Edit a.txt") && body.contains("1 + hello"), "{body}");
    // An arrow before the folder, which is no row of tabs.
    let found = dialog("opencode-1.18.33-external-directory");
    assert!(found.options[1].standing);
    assert!(found.body.unwrap().contains("Access external directory /srv/shop"));
    let body = dialog("codex-0.171.0-apply-patch").body.unwrap();
    assert!(body.contains("Destination: /srv/h3/work/codex/a.txt"), "{body}");
    let context = dialog("codex-0.171.0-apply-patch").context.unwrap();
    assert!(context.contains("1 -hi") && context.contains("1 +hello"), "{context}");
    let context = dialog("codex-0.171.0-apply-patch-three-files").context.unwrap();
    assert!(context.contains("b.txt → sub/c.txt (+1 -1)") && context.contains("1 +#!/bin/sh"), "{context}");
}

#[test]
fn what_the_programs_leave_out_is_said() {
    for name in [
        "codex-0.171.0-exec-folded",
        "codex-0.171.0-apply-patch-folded",
        "gemini-cli-0.61.0-shell-folded",
        "opencode-1.18.33-bash-clipped",
        "opencode-1.18.33-write-clipped",
    ] {
        assert!(dialog(name).truncated, "{name}");
    }
    let found = dialog("gemini-cli-0.61.0-shell-folded");
    assert_eq!(found.question, "Allow execution of [Shell]?");
}

#[test]
fn the_lit_button_is_told_by_its_colour() {
    for name in ["opencode-1.18.33-bash-sidebar-140cols", "opencode-1.18.33-write-clipped"] {
        let lit: Vec<u32> = dialog(name).options.iter().filter(|row| row.selected).map(|row| row.n).collect();
        assert_eq!(lit, [1], "{name}");
    }
}

#[test]
fn choices_and_trust_are_a_persons() {
    let found = dialog("gemini-cli-0.61.0-ask-user");
    assert_eq!((found.kind, found.approve_option, found.deny_option), (DialogKind::Decision, None, None));
    assert_eq!(found.question, "Which database should be used?");
    assert_eq!(found.options[0].text, "Postgres");
    for (name, deny, body) in [
        ("codex-0.171.0-hooks-untrusted-startup", 3, ""),
        ("codex-0.171.0-trust", 2, "/srv/h3/work"),
        ("gemini-cli-0.61.0-trust", 3, "MCP servers"),
    ] {
        let found = dialog(name);
        assert_eq!(
            (found.kind, found.approve_option, found.deny_option),
            (DialogKind::Trust, None, Some(deny)),
            "{name}"
        );
        assert!(found.body.unwrap_or_default().contains(body), "{name}");
    }
}

#[test]
fn work_and_rest_are_told_apart() {
    assert_eq!(capture("codex-0.171.0-hook-waiting").status, Status::Working);
    for name in [
        "codex-0.171.0-hook-allow",
        "codex-0.171.0-hook-deny",
        "gemini-cli-0.61.0-hook-deny",
        "opencode-1.18.33-start-60cols",
    ] {
        let reading = capture(name);
        assert_eq!((reading.status, reading.safe_to_type), (Status::Idle, true), "{name}");
        assert_eq!(reading.dialog, None, "{name}");
    }
    // Words that somebody typed, and the same place with a suggestion in it.
    for (name, safe) in
        [("codex-0.171.0-draft", false), ("codex-0.171.0-start", true), ("gemini-cli-0.61.0-draft", false)]
    {
        let reading = capture(name);
        assert_eq!((reading.status, reading.safe_to_type), (Status::Idle, safe), "{name}");
    }
    for name in ["codex-0.171.0-working", "gemini-cli-0.61.0-working", "opencode-1.18.33-working"] {
        assert_eq!(capture(name).status, Status::Working, "{name}");
    }
}
