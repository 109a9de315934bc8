//! A hold stays a hold however it is wrapped.

use serde_json::{Value, json};

use super::lines::{classify, commands, holds, id};

/// A way to wrap a command.
type Wrap = (&'static str, fn(&str) -> Vec<String>);

const WRAPS: &[Wrap] = &[
    ("x && V", |v| vec![format!("git status && {v}")]),
    ("V; x", |v| vec![format!("{v}; git status")]),
    ("V | cat f", |v| vec![format!("{v} | cat README.md")]),
    ("sh -c 'V'", |v| vec![format!("sh -c {}", quoted(v)), format!("bash -lc {}", quoted(v))]),
    ("quotes around a word", words_quoted),
    ("a zero-width character", |v| {
        let middle = v.char_indices().nth(v.chars().count() / 2).map_or(0, |(at, _)| at);
        vec![format!("{v}\u{200b}"), format!("{}\u{200b}{}", &v[..middle], &v[middle..])]
    }),
    ("… at the end", |v| vec![format!("{v}…"), format!("{v} …")]),
    ("CRLF", |v| vec![format!("{v}\r\n"), v.replace('\n', "\r\n") + "\r"]),
    ("extra blanks", |v| vec![format!("  {v}  "), v.replace(' ', "  ")]),
    ("a line break", |v| vec![format!("git status\n{v}"), format!("{v}\ngit status")]),
];

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Each of the first words in quotes by itself.
fn words_quoted(command: &str) -> Vec<String> {
    let words: Vec<&str> = command.split(' ').collect();
    let quote = |at: usize| {
        let with = |(index, word): (usize, &&str)| if index == at { quoted(word) } else { (*word).to_owned() };
        words.iter().enumerate().map(with).collect::<Vec<_>>().join(" ")
    };
    (0..words.len().min(8)).filter(|&at| !words[at].is_empty()).map(quote).collect()
}

/// What is held, as the shipped policy has it.
fn held() -> Vec<Value> {
    let vectors = commands();
    let answers = classify(&vectors);
    vectors
        .into_iter()
        .zip(answers)
        .filter(|(vector, answer)| holds(vector) && answer["verdict"] == "hold")
        .map(|(v, _)| v)
        .collect()
}

/// Approvals among these lines, by id and text.
fn approved(lines: &[Value]) -> Vec<String> {
    let answers = classify(lines);
    let pairs = lines.iter().zip(&answers);
    pairs
        .filter(|(_, answer)| answer["verdict"] != "hold")
        .map(|(line, _)| format!("{} {} {}", id(line), line["dialog"]["command"], line["dialog"]["body"]))
        .collect()
}

#[test]
fn a_held_command_stays_held() {
    let held = held();
    assert!(held.len() > 250, "the rule looked at {} vectors", held.len());
    for (name, wrap) in WRAPS {
        let mut lines = Vec::new();
        for vector in &held {
            let Some(command) = vector["dialog"]["command"].as_str().filter(|command| !command.is_empty()) else {
                continue;
            };
            for wrapped in wrap(command) {
                let mut line = vector.clone();
                line["dialog"]["command"] = json!(wrapped);
                lines.push(line);
            }
        }
        assert!(lines.len() > 250, "{name} looked at nothing");
        assert_eq!(approved(&lines), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_held_dialog_of_another_sort_stays_held() {
    let mut lines = Vec::new();
    for vector in held().iter().filter(|vector| vector["dialog"]["command"].is_null()) {
        for (field, wrap) in [
            ("question", (|text| format!("{text}\u{200b}")) as fn(&str) -> String),
            ("question", |text| format!("  {text}  ")),
            ("title", |text| format!("{text}…")),
            ("title", str::to_uppercase),
            ("body", |text| format!("{text}\n… +3 lines")),
            ("body", |text| text.replace('\n', "\r\n")),
            ("body", |text| format!("\n\n{text}\n")),
        ] {
            let mut line = vector.clone();
            line["dialog"][field] = json!(wrap(line["dialog"][field].as_str().unwrap_or_default()));
            lines.push(line);
        }
    }
    assert!(lines.len() > 100, "the rule looked at nothing");
    assert_eq!(approved(&lines), Vec::<String>::new());
}

/// The way back: an approval does not survive what hides or cuts.
#[test]
fn an_approval_does_not_survive_hiding() {
    let vectors: Vec<Value> = commands().into_iter().filter(|vector| !holds(vector)).collect();
    let mut lines = Vec::new();
    for vector in &vectors {
        let field = if vector["dialog"]["command"].is_string() { "command" } else { "body" };
        let text = vector["dialog"][field].as_str().unwrap();
        for hidden in
            [format!("{text}\u{200b}"), format!("{text}\n…"), format!("{text}\u{202e}"), format!("{text}\u{7}")]
        {
            let mut line = vector.clone();
            line["dialog"][field] = json!(hidden);
            lines.push(line);
        }
    }
    assert_eq!(approved(&lines), Vec::<String>::new());
}
