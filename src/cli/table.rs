//! Lists for people: aligned columns, and times both as distance and as date.

use chrono::{DateTime, Local, TimeDelta, Utc};
use serde_json::Value;

use super::out::visible;
use crate::clock::Clock;

/// Lines up rows under their heads; words about what to do when there are none.
pub fn table(heads: &[&str], rows: &[Vec<String>], empty: &str) -> String {
    if rows.is_empty() {
        return empty.to_owned();
    }
    let head: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
    let lines: Vec<&Vec<String>> = std::iter::once(&head).chain(rows).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let joined = lines.iter().map(|line| {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    joined.collect::<Vec<_>>().join("\n")
}

/// A field as text: `-` for nothing, lists with commas, and nothing in it that a terminal would obey.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) => visible(text),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => visible(&other.to_string()),
    }
}

/// A field as a time: `3 min ago (2026-11-29 23:20)`, in this machine's zone; `-` for none.
pub fn time(value: &Value) -> String {
    let parsed: Option<DateTime<Utc>> = value.as_str().and_then(|text| text.parse().ok());
    parsed.map_or_else(
        || "-".into(),
        |at| {
            let shown = at.with_timezone(&Local).format("%Y-%m-%d %H:%M");
            format!("{} ({shown})", distance(at - Clock::default().now()))
        },
    )
}

/// The time of something that is told as it happens: how long ago that is, goes without saying.
pub fn moment(value: &Value) -> String {
    let parsed: Option<DateTime<Utc>> = value.as_str().and_then(|text| text.parse().ok());
    parsed.map_or_else(|| "-".into(), |at| at.with_timezone(&Local).format("%Y-%m-%d %H:%M:%S").to_string())
}

/// A span of time from now, in its largest unit.
fn distance(span: TimeDelta) -> String {
    let secs = span.num_seconds().abs();
    let amount = match secs {
        0..60 => format!("{secs} s"),
        60..3600 => format!("{} min", secs / 60),
        3600..172_800 => format!("{} h", secs / 3600),
        _ => format!("{} days", secs / 86_400),
    };
    if span < TimeDelta::zero() { format!("{amount} ago") } else { format!("in {amount}") }
}

/// The rows of a list's items.
pub fn rows(answer: &Value, row: impl Fn(&Value) -> Vec<String>) -> Vec<Vec<String>> {
    answer["items"].as_array().map(|items| items.iter().map(row).collect()).unwrap_or_default()
}

/// A name as part of a path. Names need no quoting; anything else would be another address.
pub fn segment(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["grüße".to_owned(), "2".to_owned()]];
        assert_eq!(table(&["NAME", "N"], &rows, ""), "NAME   N\na      1\ngrüße  2");
        assert_eq!(table(&["NAME"], &[], "nothing yet"), "nothing yet");
        // What is spelled out is counted as it is printed.
        let rows = [vec![text(&json!({"note": "\u{9b}"})), text(&json!("a\u{202e}"))]];
        assert_eq!(table(&["A", "B"], &rows, ""), "A                  B\n{\"note\":\"\\u009b\"}  a\\u202e");
    }

    #[test]
    fn distances_have_one_unit() {
        assert_eq!(distance(TimeDelta::seconds(-5)), "5 s ago");
        assert_eq!(distance(TimeDelta::minutes(90)), "in 1 h");
        assert_eq!(distance(TimeDelta::days(-10)), "10 days ago");
    }
}
