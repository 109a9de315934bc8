//! Fields of the policy and their values, as a person says them.

use serde_json::Value;

use crate::domain::policy::Action;
use crate::domain::policy::diff::Difference;

/// One change in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What: `Class install`, `Lane api: stall minutes`.
    pub what: String,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
}

/// What is done with a class.
pub fn action(action: Action) -> &'static str {
    match action {
        Action::AutoApprove => "auto-approve if proven",
        Action::AutoDeny => "auto-deny",
        Action::Hold => "hold for a person",
    }
}

/// Differences in words.
pub fn changes(differences: &[Difference]) -> Vec<Change> {
    let told = |difference: &Difference| {
        let lane = lane_of(&difference.path);
        let (place, field) = match lane {
            Some((lane, field)) => (format!("Lane {lane}: "), field),
            None => (String::new(), difference.path.strip_prefix("supervision.").unwrap_or(&difference.path)),
        };
        let is_lane = !place.is_empty();
        Change {
            what: headed(&format!("{place}{}", field_words(field, is_lane))),
            from: value(&difference.from, field, is_lane),
            to: value(&difference.to, field, is_lane),
        }
    };
    // What holds everywhere first, and the switches before the rest.
    let mut sorted: Vec<&Difference> = differences.iter().collect();
    sorted.sort_by_key(|difference| (lane_of(&difference.path).is_some(), !difference.path.ends_with(".enabled")));
    sorted.into_iter().map(told).collect()
}

/// The first letter as a capital.
fn headed(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The lane and the field of a lane's path; a name with a dot in it is quoted there.
fn lane_of(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("lanes.")?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\"."),
        None => rest.split_once('.'),
    }
}

fn field_words(field: &str, is_lane: bool) -> String {
    match field {
        "enabled" if is_lane => "supervised".into(),
        "enabled" => "master switch".into(),
        "mail_mode" => "mail".into(),
        "nudge_text" => "nudge".into(),
        "stall_mins" => "minutes until a stall".into(),
        "nudge_retries" => "nudges before escalating".into(),
        "network_hosts" => "hosts that count as inside".into(),
        "high_actions" => "actions of high risk".into(),
        "require_reason" => "a reason for every approval".into(),
        "expect_work" => "expected to act on mail".into(),
        field => field.strip_prefix("classes.").map_or_else(|| field.to_owned(), |class| format!("class {class}")),
    }
}

fn value(value: &Value, field: &str, is_lane: bool) -> String {
    match value {
        Value::Null if is_lane && matches!(field, "enabled" | "expect_work") => "off".into(),
        Value::Null => "inherited".into(),
        Value::Bool(true) => "on".into(),
        Value::Bool(false) => "off".into(),
        Value::String(word) => match (Action::from_word(word), word.as_str()) {
            (Some(known), _) if field.starts_with("classes.") => action(known).into(),
            (_, "nudge") if field == "mail_mode" => "one line that there is mail".into(),
            (_, "full_body") if field == "mail_mode" => "the mail itself".into(),
            _ => format!("“{word}”"),
        },
        Value::Array(items) if items.is_empty() => "none".into(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_said_in_words() {
        let table = [
            ("supervision.enabled", json!(false), json!(true), ["Master switch", "off", "on"]),
            (
                "supervision.classes.install",
                json!("hold"),
                json!("auto_deny"),
                ["Class install", "hold for a person", "auto-deny"],
            ),
            ("lanes.api.enabled", json!(null), json!(true), ["Lane api: supervised", "off", "on"]),
            ("lanes.\"a.b\".stall_mins", json!(5), json!(null), ["Lane a.b: minutes until a stall", "5", "inherited"]),
            ("supervision.network_hosts", json!([]), json!(["a", "b"]), ["Hosts that count as inside", "none", "a, b"]),
        ];
        for (path, from, to, [what, was, is]) in table {
            let told = changes(&[Difference { path: path.into(), from, to }]);
            assert_eq!(told, [Change { what: what.into(), from: was.into(), to: is.into() }]);
        }
    }
}
