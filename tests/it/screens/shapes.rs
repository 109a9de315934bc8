//! Further shapes of screens, typed from what is known of them: drafts, suggestions, viewers, half-painted dialogs, and the
//! prompts of every agent that the captured fixtures lack.

use countersign::domain::screen::{AgentKind, Reading, read};
use countersign::pane::frame::{Size, screen};
use serde_json::Value;

use super::sample::{Sample, shapes};

/// What a shape means, in a pane that is not filled unless it says so.
fn reading(shape: &Sample) -> Reading {
    shape.read_as(&shape.text, Size { cols: Some(shape.cols()), rows: shape.rows().or(Some(40)) })
}

/// Something of each option, where there is something.
fn rows(dialog: &Value, part: impl Fn(&Value) -> Option<Value>) -> Value {
    dialog["options"].as_array().into_iter().flatten().filter_map(part).collect()
}

#[test]
fn every_shape_is_read_as_it_is_meant() {
    let mut wrong = Vec::new();
    for shape in shapes() {
        let reading = reading(&shape);
        let found = serde_json::to_value(&reading).unwrap();
        for (key, wanted) in shape.meaning.as_object().unwrap() {
            let found = match key.as_str() {
                "status" | "safe_to_type" => found[key].clone(),
                "kind" | "title" | "question" | "command" | "body" | "approve_option" | "deny_option" | "truncated" => {
                    found["dialog"][key].clone()
                }
                "joined" => reading.dialog.as_ref().is_some_and(|dialog| dialog.joined).into(),
                "options" => rows(&found["dialog"], |row| Some(row["text"].clone())),
                "standing" => rows(&found["dialog"], |row| (row["standing"] == true).then(|| row["n"].clone())),
                "selected" => {
                    rows(&found["dialog"], |row| (row["selected"] == true).then(|| row["n"].clone()))[0].clone()
                }
                "name" | "agent" | "cols" | "rows" => continue,
                other => panic!("{}: nothing is known of {other}", shape.name),
            };
            if found != *wanted {
                wrong.push(format!("{}: {key} is {found}, not {wanted}", shape.name));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn no_row_that_outlives_the_request_is_chosen() {
    let mut rows = 0;
    for shape in shapes() {
        let Some(dialog) = reading(&shape).dialog else { continue };
        for row in &dialog.options {
            let chosen = [dialog.approve_option, dialog.deny_option].contains(&Some(row.n));
            assert!(!(row.standing && chosen), "{}: {}", shape.name, row.text);
            rows += usize::from(row.standing);
        }
    }
    assert!(rows > 20, "there is nothing standing to choose");
}

#[test]
fn a_menu_that_no_rule_knows_is_noted() {
    let noted = |name: &str| shapes().iter().find(|shape| shape.name == name).map(reading).unwrap().drift;
    assert!(noted("claude_model").unwrap().contains("Select model"));
    assert!(noted("claude_fake_under_talk").is_some());
    assert_eq!(noted("claude_draft"), None);
    assert_eq!(noted("claude_prose_question"), None);
}

#[test]
fn a_survey_is_noted() {
    let text =
        "● Done.\n\n● How is Claude doing this session? (optional)\n  1: Bad    2: Fine   3: Good   0: Dismiss\n";
    assert!(read(AgentKind::Claude, &screen(text.as_bytes(), Size::default())).survey);
    assert!(!read(AgentKind::Claude, &screen(b"How is Claude?\n", Size::default())).survey);
}
