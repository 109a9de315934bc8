//! Lines in, lines out.

use serde_json::{Value, json};

use super::stream;

fn classify(lines: &str) -> (Vec<Value>, usize) {
    let mut out = Vec::new();
    let bad = stream(lines.as_bytes(), &mut out).unwrap();
    let lines = String::from_utf8(out).unwrap();
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), bad)
}

fn line(command: &str) -> Value {
    json!({
        "id": "a", "expect": "ignored", "cwd": "/w/api", "repo_root": "/w/api", "worktree": "/w/api",
        "dialog": {"title": "Bash command", "question": "Do you want to proceed?", "command": command,
                   "options": ["1. Yes", {"n": 7, "text": "No"}], "body": ["A", "b"], "extra": 1},
    })
}

fn one(line: &Value) -> Value {
    let (mut out, _) = classify(&line.to_string());
    out.remove(0)
}

#[test]
fn a_line_is_answered_with_the_contracts_fields() {
    let answer = one(&line("cargo test"));
    assert_eq!(
        answer,
        json!({"id": "a", "class": "command_exec", "repo_scoped": true, "verdict": "auto_approve", "veto": false,
               "policy_source": "global_class", "option": {"n": 1, "text": "1. Yes"}, "reasons": []})
    );
    let held = one(&line("git push --force"));
    assert_eq!((&held["verdict"], &held["veto"]), (&json!("hold"), &json!(true)));
    assert_eq!(held["reasons"][0]["code"], "always_escalate");
}

#[test]
fn policies_and_facts_are_taken() {
    for (key, value, command, want) in [
        ("policy", json!({"command_exec": "auto_deny"}), "cargo test", "auto_deny"),
        ("policy", json!({"classes": {"command_exec": "hold"}}), "cargo test", "hold"),
        ("policy", json!({"lane": {"classes": {"command_exec": "hold"}}}), "cargo test", "hold"),
        ("policy", json!({"enabled": false}), "cargo test", "hold"),
        ("policy", json!({"lane_enabled": false}), "cargo test", "hold"),
        (
            "policy",
            json!({"classes": {"command_exec": "hold"}, "rules": [{"argv": ["cargo", "test"], "match": "prefix"}]}),
            "cargo test -q",
            "auto_approve",
        ),
        ("policy", json!({}), "cargo test", "auto_approve"),
        ("fs", json!({"unresolved": ["a.txt"]}), "cat a.txt", "hold"),
        ("fs", json!({}), "cat a.txt", "auto_approve"),
        ("fs", json!({"symlinks": {"a.txt": "/etc/hosts"}}), "cat a.txt", "hold"),
    ] {
        let mut line = line(command);
        line[key] = value.clone();
        assert_eq!(one(&line)["verdict"], want, "{value}");
    }
}

#[test]
fn a_bad_line_is_named_and_stops_nothing() {
    let mut lines = String::new();
    let mut add = |line: &str| {
        lines.push_str(line);
        lines.push('\n');
    };
    add(&line("ls").to_string());
    for (field, value) in [
        ("cwd", Value::Null),
        ("dialog", json!({"options": [7]})),
        ("dialog", json!({"title": 7})),
        ("policy", json!({"command_exec": "maybe"})),
        ("policy", json!({"surprise": 1})),
        ("policy", json!({"rules": [{"argv": ["x"]}]})),
        ("fs", json!({"surprise": 1})),
    ] {
        let mut bad = line("ls");
        bad[field] = value;
        add(&bad.to_string());
    }
    add("{\"id\": 3}");
    add("nonsense");
    add("");
    add(&line("ls").to_string());
    let (out, bad) = classify(&lines);
    let fields: Vec<_> = out.iter().map(|line| line["error"]["field"].as_str().unwrap_or("-")).collect();
    assert_eq!(
        fields,
        [
            "-",
            "cwd",
            "dialog.options[0]",
            "dialog.title",
            "policy.command_exec",
            "policy.surprise",
            "policy.rules",
            "fs.surprise",
            "dialog",
            "",
            "-"
        ]
    );
    assert_eq!(bad, 9);
    assert_eq!((&out[1]["id"], &out[8]["id"], out[9].get("id")), (&json!("a"), &json!(3), None));
}

#[test]
fn a_terminal_gets_nothing_to_obey() {
    let mut line = line("ls");
    line["id"] = json!("\u{9b}31m\u{202e}");
    let mut out = Vec::new();
    stream(line.to_string().as_bytes(), &mut out).unwrap();
    assert!(out.is_ascii(), "{}", String::from_utf8_lossy(&out));
}
