//! The behaviour of an earlier system's prompt reader, where we want the same.

use countersign::domain::screen::{AgentKind, Reading, read};
use countersign::pane::frame::{Size, screen};
use serde_json::Value;

const VECTORS: &str = include_str!("../../fixtures/panes.jsonl");

fn vectors(kind: &str) -> Vec<Value> {
    let all = VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<_> = all.filter(|vector| vector["kind"] == kind).collect();
    assert!(!found.is_empty(), "no vectors of {kind}");
    found
}

fn reading(vector: &Value) -> Reading {
    let pane = vector["in"]["pane"].as_str().unwrap();
    let generic = vector["id"] == "detect-012";
    let agent = if generic { AgentKind::Generic } else { AgentKind::Claude };
    read(agent, &screen(pane.as_bytes(), Size::default()))
}

#[test]
fn dialogs_are_found_as_wanted() {
    for vector in vectors("detect") {
        let wanted = vector.get("want").unwrap_or(&vector["out"]);
        let found = reading(&vector).dialog;
        let id = &vector["id"];
        if wanted["dialog"].is_null() {
            assert_eq!(found, None, "{id}");
            continue;
        }
        let (found, wanted) = (found.unwrap_or_else(|| panic!("{id}: no dialog")), &wanted["dialog"]);
        let texts: Vec<&str> = found.options.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(serde_json::json!(texts), wanted["options"], "{id}");
        assert_eq!(serde_json::json!(found.question), wanted["question"], "{id}");
        assert_eq!(serde_json::json!(found.title), wanted["title"], "{id}");
        assert_eq!(
            found.options.iter().position(|row| row.selected).map(|at| at as u64),
            wanted["selected"].as_u64(),
            "{id}"
        );
    }
}

#[test]
fn a_command_is_never_cut() {
    let found = vectors("detect").iter().find(|vector| vector["id"] == "detect-016").map(reading).unwrap();
    assert!(found.dialog.unwrap().command.unwrap().ends_with("; ./evil.sh"));
}

#[test]
fn limits_stop_the_agent_and_warnings_do_not() {
    for vector in vectors("limit") {
        let wanted = vector.get("want").unwrap_or(&vector["out"]);
        let reading = reading(&vector);
        assert_eq!(Some(reading.limit.is_some()), wanted["blocked"].as_bool(), "{}", vector["id"]);
        assert!(!reading.safe_to_type, "{}", vector["id"]);
    }
}
