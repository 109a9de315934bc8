//! The vectors, as they are and wrapped: what must hold has no proof, what is plainly fine has one.

use serde_json::Value;

use super::*;
use crate::domain::class::classify;
use crate::domain::dialog::DialogOption;
use crate::domain::subject::extract;
use crate::domain::{capture, reading};

/// One vector.
struct Vector {
    value: Value,
    dialog: Dialog,
    odd: Compact,
}

fn vectors() -> Vec<Vector> {
    let lines = include_str!("../../../../tests/fixtures/vectors/commands.jsonl").lines();
    let found: Vec<_> = lines.map(|line| vector(serde_json::from_str(line).unwrap())).collect();
    assert!(found.len() > 400);
    found
}

fn vector(value: Value) -> Vector {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let shown = &value["dialog"];
    let options = shown["options"].as_array().cloned().unwrap_or_default();
    let dialog = Dialog {
        title: text(&shown["title"]),
        question: text(&shown["question"]),
        body: text(&shown["body"]),
        command: shown["command"].as_str().filter(|command| !command.is_empty()).map(str::to_owned),
        options: options
            .iter()
            .zip(1..)
            .map(|(option, n)| DialogOption { n, text: text(option), selected: false })
            .collect(),
        cwd: text(&value["cwd"]),
        repo_root: text(&value["repo_root"]),
        worktree: text(&value["worktree"]),
        ..Dialog::default()
    };
    let odd = value.get("fs").map(|odd| serde_json::from_value(odd.clone()).unwrap()).unwrap_or_default();
    Vector { value, dialog, odd }
}

impl Vector {
    fn is(&self, field: &str) -> bool {
        self.value[field].as_bool().unwrap_or(false)
    }

    fn scoped(&self) -> bool {
        self.value["expect"]["repo_scoped"].as_bool().unwrap()
    }

    fn holds(&self) -> bool {
        self.value["expect"]["decision_with_shipping_defaults"] == "hold"
    }

    /// The reasons for the dialog with another command.
    fn codes(&self, command: Option<String>) -> Vec<String> {
        let mut dialog = Dialog { command: command.or_else(|| self.dialog.command.clone()), ..self.dialog.clone() };
        let subject = extract(&dialog);
        dialog.facts = Some(self.odd.facts(&subject, &dialog));
        let class = classify(&dialog, &subject, subject.command.as_deref().map(reading::read).as_ref());
        let faults = capture::faults(&dialog, &subject);
        let hosts: Vec<String> =
            serde_json::from_value(self.value["policy"]["network_hosts"].clone()).unwrap_or_else(|_| hosts());
        match prove(class, &subject, &dialog, &hosts) {
            Ok(_) => faults.into_iter().map(|fault| fault.code).collect(),
            Err(reasons) => reasons.into_iter().map(|reason| reason.code).collect(),
        }
    }
}

/// Ways to hide or dress a command.
fn wrapped(command: &str) -> Vec<String> {
    let mut found = vec![
        format!("cargo test && {command}"),
        format!("ls; {command}"),
        format!("{command}; ls"),
        format!("{command} && true"),
        format!("{command} || true"),
        format!("{command} | cat README.md"),
        format!("git status | {command}"),
        format!("sh -c '{command}'"),
        format!("bash -c \"{command}\""),
        format!("env {command}"),
        format!("CI=1 {command}"),
        format!("{command}…"),
        format!("{command} …"),
        format!("{command}\r\n"),
        format!("{command}\n"),
        format!("{command}\nls"),
        format!("{command}\u{200b}"),
        format!("\u{feff}{command}"),
        format!("{command} 2>/dev/null"),
        format!("{command} >/dev/null 2>&1"),
        format!("cd crates && {command}"),
        command.replace(' ', "  "),
        command.replace(' ', "\t"),
        command.replace(' ', " \u{200b}"),
        format!("   {command}   "),
    ];
    let words: Vec<&str> = command.split(' ').collect();
    for at in 0..words.len() {
        for quote in ['\'', '"'] {
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words[at] = format!("{quote}{}{quote}", words[at]);
            found.push(words.join(" "));
        }
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let first = words[at].chars().next().map_or(0, char::len_utf8);
        words[at].insert(first, '\u{200d}');
        found.push(words.join(" "));
    }
    found
}

#[test]
fn a_hold_has_no_proof_however_it_is_wrapped() {
    let mut tried = 0;
    let mut slipped = Vec::new();
    for vector in vectors().iter().filter(|vector| vector.holds() && !vector.scoped()) {
        let id = &vector.value["id"];
        // Whether an arguable one holds is for the whole judgement to say.
        assert!(vector.is("arguable") || !vector.codes(None).is_empty(), "{id}");
        let Some(command) = vector.dialog.command.as_deref().filter(|_| !vector.is("arguable")) else { continue };
        // A command that names a secret or an address is judged by those names; as a plain command it holds as well.
        let subject = |text: &str| Subject { command: Some(text.to_owned()), ..Subject::default() };
        // What is odd about the disk is told from the working folder: in another one it is another file.
        let moved = |text: &String| text.starts_with("cd ") && vector.odd != Compact::default();
        for text in wrapped(command).into_iter().filter(|text| !moved(text)) {
            let plain = subject(&text);
            let dialog = looked_up(vector.dialog.clone(), &plain, &vector.odd);
            if vector.codes(Some(text.clone())).is_empty() || codes(Class::CommandExec, &plain, &dialog).is_empty() {
                slipped.push(format!("{id}: {text:?}"));
            }
            tried += 1;
        }
    }
    assert!(slipped.is_empty(), "{slipped:#?}");
    assert!(tried > 5_000, "{tried}");
}

#[test]
fn what_is_plainly_fine_is_proven() {
    let legit: Vec<_> =
        vectors().into_iter().filter(|vector| vector.scoped() && vector.value["tier"] == "seed").collect();
    let failed: Vec<_> = legit
        .iter()
        .filter(|vector| !vector.codes(None).is_empty())
        .map(|vector| (&vector.value["id"], vector.codes(None)))
        .collect();
    assert!(failed.len() * 100 <= legit.len() * 3, "{} of {}: {failed:?}", failed.len(), legit.len());
    let extended: Vec<_> =
        vectors().into_iter().filter(|vector| vector.scoped() && vector.value["tier"] != "seed").collect();
    let failed: Vec<_> = extended
        .iter()
        .filter(|vector| !vector.codes(None).is_empty())
        .map(|vector| (&vector.value["id"], vector.codes(None)))
        .collect();
    assert!(failed.len() <= 1, "{failed:?}");
}
