//! Vectors as values, and the classifier over them.

use countersign::cli::classify::stream;
use serde_json::{Value, json};

const COMMANDS: &str = include_str!("../../fixtures/vectors/commands.jsonl");
const REPOMON: &str = include_str!("../../fixtures/vectors/repomon.jsonl");

/// The vectors of dialogs.
pub fn commands() -> Vec<Value> {
    parsed(COMMANDS)
}

/// The rows of the system behind the supervision seed.
pub fn repomon() -> Vec<Value> {
    parsed(REPOMON)
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What `countersign classify` answers, line for line.
pub fn classify(lines: &[Value]) -> Vec<Value> {
    let input = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let mut out = Vec::new();
    let bad = stream(input.as_bytes(), &mut out).unwrap();
    let answers = parsed(std::str::from_utf8(&out).unwrap());
    assert_eq!(
        (bad, answers.len()),
        (0, lines.len()),
        "{:?}",
        answers.iter().find(|answer| answer.get("error").is_some())
    );
    answers
}

/// One dialog that runs a command in `/w/api`.
pub fn command(command: &str) -> Value {
    json!({
        "dialog": {"title": "Bash command", "question": "Do you want to proceed?", "command": command,
                   "options": ["Yes", "No"]},
        "cwd": "/w/api", "repo_root": "/w/api", "worktree": "/w/api",
    })
}

/// Whether a vector is one of those that two careful readers may answer differently.
pub fn is_arguable(vector: &Value) -> bool {
    vector["arguable"] == true
}

/// Whether a vector must be left to a person.
pub fn holds(vector: &Value) -> bool {
    vector["expect"]["decision_with_shipping_defaults"] == "hold"
}

/// A vector's id.
pub fn id(vector: &Value) -> &str {
    vector["id"].as_str().unwrap()
}
