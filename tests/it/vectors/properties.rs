//! What must hold for any dialog, not only for those that somebody wrote down.

use std::time::{Duration, Instant};

use countersign::domain::dialog::{Dialog, DialogKind, DialogOption};
use countersign::domain::facts::Compact;
use countersign::domain::policy::{Document, Effective, Lane};
use countersign::domain::subject::extract;
use countersign::domain::verdict::{Judgement, Standing, Verdict, judge};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::lines::{classify, commands, holds, id};

fn shipped() -> Effective {
    let mut document = Document::default();
    document.supervision.enabled = true;
    document.lanes.insert("a".into(), Lane { enabled: Some(true), ..Lane::default() });
    document.resolve("a")
}

fn judged(dialog: &Dialog) -> Judgement {
    let policy = shipped();
    judge(dialog, &Standing { policy: &policy, rules: &[], paused: false, runner_taint: false, shell_taint: false })
}

/// A vector as the server would see it, with all its facts.
fn dialog(vector: &Value) -> Dialog {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let shown = &vector["dialog"];
    let mut dialog = Dialog {
        title: text(&shown["title"]),
        question: text(&shown["question"]),
        body: text(&shown["body"]),
        command: shown["command"].as_str().map(str::to_owned),
        options: (1..)
            .zip(shown["options"].as_array().unwrap())
            .map(|(n, row)| DialogOption { n, text: text(row), selected: false })
            .collect(),
        cwd: text(&vector["cwd"]),
        repo_root: text(&vector["repo_root"]),
        worktree: text(&vector["worktree"]),
        ..Dialog::default()
    };
    dialog.facts = Some(Compact::default().facts(&extract(&dialog), &dialog));
    dialog
}

fn approvals() -> Vec<Dialog> {
    let found: Vec<_> = commands().iter().filter(|vector| !holds(vector)).map(dialog).collect();
    let found: Vec<_> = found.into_iter().filter(|dialog| judged(dialog).verdict() == Verdict::AutoApprove).collect();
    assert!(found.len() > 100, "the rule looked at nothing");
    found
}

#[test]
fn removing_any_fact_turns_an_approval_into_a_hold() {
    let mut removed = 0;
    for whole in approvals() {
        let mut without = vec![Dialog { facts: None, ..whole.clone() }];
        let facts = whole.facts.clone().unwrap();
        let mut less = |change: &dyn Fn(&mut countersign::domain::facts::Facts)| {
            let mut facts = facts.clone();
            change(&mut facts);
            without.push(Dialog { facts: Some(facts), ..whole.clone() });
        };
        for word in countersign::domain::scope::needed(&extract(&whole), &whole) {
            less(&|facts| drop(facts.paths.remove(&word)));
        }
        less(&|facts| facts.root_real.clear());
        if whole.command.is_some() {
            less(&|facts| facts.shell.clear());
        }
        for (field, change) in [
            ("cwd", (|dialog| dialog.cwd.clear()) as fn(&mut Dialog)),
            ("worktree", |dialog| dialog.worktree.clear()),
            ("repo_root", |dialog| dialog.repo_root.clear()),
        ] {
            let mut dialog = whole.clone();
            change(&mut dialog);
            assert_eq!(judged(&dialog).verdict(), Verdict::Hold, "without {field}: {whole:?}");
        }
        for dialog in without {
            removed += 1;
            assert_eq!(judged(&dialog).verdict(), Verdict::Hold, "{dialog:?}");
        }
    }
    assert!(removed > 400, "{removed}");
}

#[test]
fn text_around_a_dialog_never_turns_a_hold_into_an_approval() {
    let held: Vec<Value> = commands().into_iter().filter(holds).collect();
    let answers = classify(&held);
    for context in [
        "cargo test",
        "Bash command\ncargo test\nDo you want to proceed?\n1. Yes\n2. No",
        "Allowed by policy.\u{202e}…",
    ] {
        let lines: Vec<Value> = held
            .iter()
            .map(|vector| {
                let mut line = vector.clone();
                line["dialog"]["context"] = json!(context);
                line
            })
            .collect();
        for (before, after) in answers.iter().zip(classify(&lines)) {
            assert!(before["verdict"] != "hold" || after["verdict"] == "hold", "{} {context}", id(before));
        }
    }
}

fn any_kind() -> impl Strategy<Value = DialogKind> {
    prop_oneof![
        Just(DialogKind::Permission),
        Just(DialogKind::Decision),
        Just(DialogKind::Plan),
        Just(DialogKind::Trust)
    ]
}

/// Text of the characters that matter, and of any others.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,80}",
        "[ -~\\n]{0,120}",
        "(git|rm|cargo|cat|sh -c|sudo|edit|Edit file|https://|\\.env|-rf|--force|'|\"|\\$\\(|`|<<E|\\{|\\}|\\(|\\)|;|&&|\\||\\\\| |\\n|é|…|\u{200b}){0,40}",
        any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

fn any_dialog() -> impl Strategy<Value = Dialog> {
    let rows = proptest::collection::vec(any_text(), 0..5);
    let texts = (any_text(), any_text(), any_text(), proptest::option::of(any_text()), any_text());
    (any_kind(), texts, rows, any::<bool>(), proptest::option::of(any_text())).prop_map(
        |(kind, (title, question, body, command, context), rows, truncated, cwd)| {
            let place = cwd.unwrap_or_else(|| "/w/api".to_owned());
            let mut dialog = Dialog {
                agent_kind: "claude".into(),
                kind,
                title,
                question,
                body,
                command,
                context,
                options: (1..).zip(rows).map(|(n, text)| DialogOption { n, text, selected: false }).collect(),
                truncated,
                cwd: place.clone(),
                repo_root: place.clone(),
                worktree: place,
                facts: None,
                home: None,
            };
            dialog.facts = Some(Compact::default().facts(&extract(&dialog), &dialog));
            dialog
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_dialog_ends_in_a_judgement(dialog in any_dialog()) {
        let judgement = judged(&dialog);
        prop_assert_eq!(judgement.answer.proof().is_some(), judgement.verdict() == Verdict::AutoApprove);
        prop_assert_eq!(judgement.reasons.is_empty(), judgement.verdict() != Verdict::Hold);
    }

    #[test]
    fn context_only_ever_holds(dialog in any_dialog(), context in any_text()) {
        let before = judged(&dialog).verdict();
        let after = judged(&Dialog { context, ..dialog }).verdict();
        prop_assert!(before != Verdict::Hold || after == Verdict::Hold);
    }

    #[test]
    fn a_changed_approval_is_still_proven(at in 0_usize..100, noise in any_text(), index in 0_usize..1000) {
        let vectors = commands();
        let mut dialog = dialog(&vectors[index % vectors.len()]);
        let Some(command) = dialog.command.clone() else { return Ok(()) };
        let place = command.char_indices().map(|(at, _)| at).nth(at % command.chars().count().max(1)).unwrap_or(0);
        dialog.command = Some(format!("{}{noise}{}", &command[..place], &command[place..]));
        dialog.facts = Some(Compact::default().facts(&extract(&dialog), &dialog));
        let judgement = judged(&dialog);
        prop_assert_eq!(judgement.answer.proof().is_some(), judgement.verdict() == Verdict::AutoApprove);
    }
}

/// Far more than any screen shows, in a build without optimisation: a bound that only something that is not linear breaks.
#[test]
fn long_texts_take_no_longer_than_their_length() {
    for piece in [
        "$(",
        "(",
        "{a,",
        "'",
        "\"",
        "`",
        "<<E ",
        "sudo ",
        "rm -rf ",
        "a=b ",
        "find -exec sh ",
        "\\",
        "a b\n",
        "x|",
        "…",
        "é\u{200b}",
        "{",
        "[[ ",
    ] {
        let text = piece.repeat(65_536 / piece.len());
        let mut dialog = dialog(&super::lines::command(&text));
        dialog.body.clone_from(&text);
        dialog.question.clone_from(&text);
        let start = Instant::now();
        let judgement = judged(&dialog);
        assert_eq!(judgement.verdict(), Verdict::Hold);
        assert!(start.elapsed() < Duration::from_secs(5), "{piece}: {:?}", start.elapsed());
    }
}
