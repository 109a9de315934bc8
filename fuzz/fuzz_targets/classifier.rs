//! Any dialog ends in a judgement in time, an approval has its proof, and without facts nothing is approved.

#![no_main]

use std::sync::LazyLock;

use countersign_fuzz::domain::class::Class;
use countersign_fuzz::domain::dialog::{Dialog, DialogOption};
use countersign_fuzz::domain::facts::Compact;
use countersign_fuzz::domain::policy::{Action, Document, Effective, Lane};
use countersign_fuzz::domain::subject::extract;
use countersign_fuzz::domain::verdict::{Standing, Verdict, judge};
use countersign_fuzz::in_time;
use libfuzzer_sys::fuzz_target;

/// The most dangerous policy there could be.
static POLICY: LazyLock<Effective> = LazyLock::new(|| {
    let mut document = Document::default();
    document.supervision.enabled = true;
    document.supervision.classes = Class::ALL.iter().map(|&class| (class, Action::AutoApprove)).collect();
    document.lanes.insert("a".into(), Lane { enabled: Some(true), ..Lane::default() });
    document.resolve("a")
});

/// Fields are parted by a character that ends lines nowhere else.
const PART: char = '\u{1e}';

const FORMS: &[(&str, &str)] = &[
    ("Bash command", "Do you want to proceed?"),
    ("Edit file", "Do you want to make this edit to src/a.rs?"),
    ("Fetch", "Do you want to allow the agent to fetch this content?"),
    ("Delete file", "Do you want to proceed?"),
    ("Apply patch", "Apply patch?"),
];

fn dialog(text: &str) -> Dialog {
    let mut parts = text.split(PART);
    let first = parts.next().unwrap_or_default();
    let mut dialog = match first.chars().next().and_then(|c| FORMS.get(c as usize % 8)) {
        Some((title, question)) => {
            Dialog { title: (*title).into(), question: (*question).into(), ..Dialog::default() }
        }
        None => Dialog { title: first.to_owned(), question: parts.next().unwrap_or_default().to_owned(), ..Dialog::default() },
    };
    dialog.command = parts.next().filter(|command| !command.is_empty()).map(str::to_owned);
    dialog.body = parts.next().unwrap_or_default().to_owned();
    let rows: Vec<&str> = parts.collect();
    let rows = if rows.is_empty() { vec!["Yes", "No"] } else { rows };
    dialog.options = (1..).zip(rows).map(|(n, text)| DialogOption { n, text: text.to_owned(), selected: false }).collect();
    for place in [&mut dialog.cwd, &mut dialog.repo_root, &mut dialog.worktree] {
        "/w/api".clone_into(place);
    }
    dialog
}

fuzz_target!(|text: &str| {
    let bare = dialog(text);
    let standing = Standing { policy: &POLICY, rules: &[], paused: false, runner_taint: false, shell_taint: false };
    let without = judge(&bare, &standing);
    assert!(
        without.verdict() != Verdict::AutoApprove || without.class == Class::NetworkAccess,
        "approved without facts: {bare:?}"
    );
    let mut whole = bare;
    whole.facts = Some(Compact::default().facts(&extract(&whole), &whole));
    in_time(text.len(), || drop(judge(&whole, &standing)));
    let judgement = judge(&whole, &standing);
    assert_eq!(judgement.answer.proof().is_some(), judgement.verdict() == Verdict::AutoApprove);
    if judgement.verdict() == Verdict::AutoApprove {
        assert!(judgement.class.can_be_scoped() && !judgement.veto && judgement.reasons.is_empty());
    }
});
