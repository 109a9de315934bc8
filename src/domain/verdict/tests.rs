//! The order of the steps, one dialog at a time.

use uuid::Uuid;

use super::{Judgement, PolicySource, Standing, Verdict, judge};
use crate::domain::class::Class;
use crate::domain::dialog::{Dialog, DialogKind, DialogOption};
use crate::domain::facts::Compact;
use crate::domain::policy::{Action, Document, Effective, Lane};
use crate::domain::rule::{Match, Rule};
use crate::domain::subject::extract;

fn dialog(command: &str) -> Dialog {
    let rows = ["Yes", "Yes, and don't ask again for x", "No, and tell Claude what to do"];
    let options = (1..).zip(rows).map(|(n, text)| DialogOption { n, text: text.to_owned(), selected: false }).collect();
    with_facts(Dialog {
        title: "Bash command".into(),
        question: "Do you want to proceed?".into(),
        command: Some(command.to_owned()),
        options,
        cwd: "/w/api".into(),
        repo_root: "/w/api".into(),
        worktree: "/w/api".into(),
        ..Dialog::default()
    })
}

fn with_facts(mut dialog: Dialog) -> Dialog {
    dialog.facts = Some(Compact::default().facts(&extract(&dialog), &dialog));
    dialog
}

fn rows(mut dialog: Dialog, rows: &[&str]) -> Dialog {
    dialog.options =
        (1..).zip(rows).map(|(n, &text)| DialogOption { n, text: text.to_owned(), selected: false }).collect();
    dialog
}

/// The shipped policy with both keys on, and these classes changed globally.
fn policy(classes: &[(Class, Action)]) -> Effective {
    let mut document = Document::default();
    document.supervision.enabled = true;
    document.supervision.classes.extend(classes.iter().copied());
    document.lanes.insert("api".into(), Lane { enabled: Some(true), ..Lane::default() });
    document.resolve("api")
}

fn standing(policy: &Effective) -> Standing<'_> {
    Standing { policy, rules: &[], paused: false, runner_taint: false, shell_taint: false }
}

fn rule(argv: &[&str]) -> Rule {
    Rule { id: Some(Uuid::nil()), argv: argv.iter().map(|&word| word.to_owned()).collect(), matching: Match::Exact }
}

fn outcome(judgement: &Judgement) -> (Verdict, PolicySource) {
    // Whatever the path, an approval has its proof and an answer its row.
    assert_eq!(judgement.answer.proof().is_some(), judgement.verdict() == Verdict::AutoApprove);
    assert_eq!(judgement.answer.row().is_some(), judgement.verdict() != Verdict::Hold);
    assert_eq!(judgement.reasons.is_empty(), judgement.verdict() != Verdict::Hold);
    (judgement.verdict(), judgement.policy_source)
}

const HOLD: Verdict = Verdict::Hold;

#[test]
fn the_first_that_applies_is_the_source() {
    let shipped = policy(&[]);
    let plain = standing(&shipped);
    for (dialog, want) in [
        (dialog("cargo test"), (Verdict::AutoApprove, PolicySource::GlobalClass)),
        (Dialog { truncated: true, ..dialog("git push --force") }, (HOLD, PolicySource::Capture)),
        (Dialog { kind: DialogKind::Plan, ..dialog("rm -rf x") }, (HOLD, PolicySource::AlwaysEscalate)),
        (Dialog { kind: DialogKind::Decision, ..dialog("cargo test") }, (HOLD, PolicySource::DecisionClass)),
        (Dialog { question: "Which one?".into(), ..dialog("cargo test") }, (HOLD, PolicySource::DecisionClass)),
        (dialog("cat /etc/passwd"), (HOLD, PolicySource::NotRepoScoped)),
        (rows(dialog("cargo test"), &["Yes", "Yes", "No"]), (HOLD, PolicySource::AmbiguousOptions)),
        (dialog("git push"), (HOLD, PolicySource::GlobalClass)),
        (Dialog { facts: None, ..dialog("cargo test") }, (HOLD, PolicySource::NotRepoScoped)),
    ] {
        assert_eq!(outcome(&judge(&dialog, &plain)), want, "{dialog:?}");
    }
    let tainted = Standing { runner_taint: true, ..plain };
    assert_eq!(outcome(&judge(&dialog("cargo test"), &tainted)), (HOLD, PolicySource::RunnerTaint));
    assert_eq!(outcome(&judge(&dialog("git status"), &tainted)).0, Verdict::AutoApprove);
    let shell = Standing { shell_taint: true, ..plain };
    assert_eq!(outcome(&judge(&dialog("git status"), &shell)), (HOLD, PolicySource::RunnerTaint));
    let paused = Standing { paused: true, ..tainted };
    let judgement = judge(&dialog("cargo test"), &paused);
    assert_eq!(outcome(&judgement), (HOLD, PolicySource::Paused));
    assert_eq!(judgement.would, (HOLD, PolicySource::RunnerTaint));
}

#[test]
fn the_lane_overrides_the_global_class() {
    let mut document = Document::default();
    document.supervision.enabled = true;
    let classes = [(Class::CommandExec, Action::Hold)].into_iter().collect();
    document.lanes.insert("api".into(), Lane { enabled: Some(true), classes, ..Lane::default() });
    let effective = document.resolve("api");
    assert_eq!(outcome(&judge(&dialog("cargo test"), &standing(&effective))), (HOLD, PolicySource::LaneClass));
}

#[test]
fn both_keys_are_needed() {
    for (master, lane, source) in [
        (false, Some(true), PolicySource::MasterOff),
        (false, None, PolicySource::MasterOff),
        (true, None, PolicySource::LaneOff),
        (true, Some(false), PolicySource::LaneOff),
    ] {
        let mut document = Document::default();
        document.supervision.enabled = master;
        document.lanes.insert("api".into(), Lane { enabled: lane, ..Lane::default() });
        let effective = document.resolve("api");
        let off = standing(&effective);
        let judgement = judge(&dialog("cargo test"), &off);
        assert_eq!(outcome(&judgement), (HOLD, source));
        assert_eq!(judgement.would, (Verdict::AutoApprove, PolicySource::GlobalClass));

        // The legacy path: a confirmed rule, and everything else as strict as ever.
        let rules = [rule(&["cargo", "test"]), rule(&["cargo", "test", "-p", "x"]), rule(&["git", "push", "--force"])];
        let legacy = Standing { rules: &rules, ..off };
        let judgement = judge(&dialog("cargo test"), &legacy);
        assert_eq!(outcome(&judgement), (Verdict::AutoApprove, PolicySource::LegacyRule));
        assert_eq!(judgement.rule, Some(Uuid::nil()));
        for (dialog, standing) in [
            (dialog("cargo test; cargo test"), legacy),
            (dialog("cargo build"), legacy),
            (dialog("git push --force"), legacy),
            (Dialog { facts: None, ..dialog("cargo test") }, legacy),
            (Dialog { truncated: true, ..dialog("cargo test") }, legacy),
            (rows(dialog("cargo test"), &["Always", "No"]), legacy),
            (dialog("cargo test"), Standing { runner_taint: true, ..legacy }),
        ] {
            assert_eq!(outcome(&judge(&dialog, &standing)), (HOLD, source), "{dialog:?}");
        }
        let paused = judge(&dialog("cargo test"), &Standing { paused: true, ..legacy });
        assert_eq!(outcome(&paused), (HOLD, PolicySource::Paused));
    }
}

#[test]
fn a_learned_rule_only_lifts_a_hold() {
    let holding = policy(&[(Class::CommandExec, Action::Hold)]);
    let denying = policy(&[(Class::CommandExec, Action::AutoDeny)]);
    let rules = [rule(&["cargo", "test"]), rule(&["cat", "/etc/passwd"]), rule(&["rm", "a.txt"])];
    let with = |policy| Standing { rules: &rules, ..standing(policy) };
    for (dialog, policy, want) in [
        (dialog("cargo test"), &holding, (Verdict::AutoApprove, PolicySource::LearnedRule)),
        (dialog("cargo build"), &holding, (HOLD, PolicySource::GlobalClass)),
        (dialog("cat /etc/passwd"), &holding, (HOLD, PolicySource::NotRepoScoped)),
        (rows(dialog("cargo test"), &["Yes", "Yes"]), &holding, (HOLD, PolicySource::AmbiguousOptions)),
        (dialog("rm a.txt"), &holding, (HOLD, PolicySource::GlobalClass)),
        (dialog("cargo test && cargo test"), &holding, (HOLD, PolicySource::GlobalClass)),
        (dialog("cargo test"), &denying, (Verdict::AutoDeny, PolicySource::GlobalClass)),
    ] {
        assert_eq!(outcome(&judge(&dialog, &with(policy))), want, "{dialog:?}");
    }
}

#[test]
fn denying_needs_a_row_and_no_proof() {
    let all: Vec<_> = Class::ALL.iter().map(|&class| (class, Action::AutoDeny)).collect();
    let denying = policy(&all);
    let plain = standing(&denying);
    for (dialog, want) in [
        (dialog("rm /etc/passwd"), (Verdict::AutoDeny, PolicySource::GlobalClass)),
        (dialog("git push"), (Verdict::AutoDeny, PolicySource::GlobalClass)),
        (rows(dialog("cargo test"), &["Yes", "Maybe"]), (HOLD, PolicySource::AmbiguousOptions)),
        (rows(dialog("cargo test"), &["Yes", "Never"]), (HOLD, PolicySource::AmbiguousOptions)),
        (Dialog { title: "Notice".into(), command: None, ..dialog("") }, (HOLD, PolicySource::GlobalClass)),
        (dialog("rm -rf x"), (HOLD, PolicySource::AlwaysEscalate)),
    ] {
        assert_eq!(outcome(&judge(&dialog, &plain)), want, "{dialog:?}");
    }
}

#[test]
fn what_can_never_be_proven_is_never_approved() {
    let all: Vec<_> = Class::ALL.iter().map(|&class| (class, Action::AutoApprove)).collect();
    let approving = policy(&all);
    for (command, class) in [
        ("git push", Class::PushRemote),
        ("npm install x", Class::Install),
        ("osascript -e x", Class::DeviceAccess),
        ("cat .env", Class::CredentialAccess),
    ] {
        let judgement = judge(&dialog(command), &standing(&approving));
        assert_eq!((judgement.class, outcome(&judgement)), (class, (HOLD, PolicySource::NotRepoScoped)), "{command}");
    }
    let unknown = Dialog { title: "Notice".into(), question: "Continue?".into(), command: None, ..dialog("") };
    let judgement = judge(&unknown, &standing(&approving));
    assert_eq!((judgement.class, outcome(&judgement)), (Class::Unknown, (HOLD, PolicySource::GlobalClass)));
}

#[test]
fn an_answer_can_be_taken_back_only() {
    let shipped = policy(&[]);
    let mut judgement = judge(&dialog("cargo test"), &standing(&shipped));
    judgement.hold(PolicySource::AmbiguousOptions);
    assert_eq!((judgement.verdict(), judgement.answer.row()), (HOLD, None));
}

#[test]
fn a_command_under_an_edits_question_is_seen_by_the_veto() {
    for (title, question, class) in [
        ("Bash command", "Do you want to make this edit to src/a.rs?", Class::Unknown),
        ("Edit file", "Do you want to run this command?", Class::Unknown),
        ("Fetch", "Do you want to run this command?", Class::Deletion),
    ] {
        let shown = Dialog {
            title: title.into(),
            question: question.into(),
            body: "rm -rf src".into(),
            command: None,
            ..dialog("")
        };
        let policy = policy(&[(Class::FileWrite, Action::AutoApprove), (Class::Deletion, Action::AutoApprove)]);
        let judgement = judge(&with_facts(shown), &standing(&policy));
        assert_eq!(outcome(&judgement), (Verdict::Hold, PolicySource::AlwaysEscalate), "{title} {question}");
        assert_eq!((judgement.veto, judgement.class), (true, class), "{title} {question}");
    }
}
