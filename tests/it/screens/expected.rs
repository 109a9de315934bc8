//! What the fixtures say a dialog means.

use serde_json::Value;

/// Number, text and standing of each row.
pub fn options(dialog: &Value) -> Vec<(u32, String, bool)> {
    let rows = dialog["options"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let text = row["text"].as_str().unwrap().to_owned();
            (number(&row["n"]).unwrap(), text, row["standing"].as_bool().unwrap())
        })
        .collect()
}

/// The row to `approve` or to `deny` with.
pub fn row(dialog: &Value, what: &str) -> Option<u32> {
    number(&dialog[format!("{what}_option")])
}

pub fn number(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// Words with one blank between.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
