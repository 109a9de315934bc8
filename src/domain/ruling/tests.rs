//! What a ruling may and may not do.

use super::*;
use crate::domain::ask::samples as asks;
use crate::domain::risk::Risk;

fn at(secs: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(10_000 + secs, 0).unwrap()
}

fn locked(risk: Risk) -> Locked {
    let ask = asks::change();
    Locked {
        kind: ask.kind,
        status: Status::Pending,
        digest: ask.digest("api"),
        has_body: true,
        questions: vec![],
        dialog: None,
        expires_at: Some(at(100)),
        requirement: Requirement::for_risk(risk),
        votes: vec![],
    }
}

fn ruling(outcome: Outcome) -> Ruling {
    let body = (outcome == Outcome::Modified).then(|| "limit = 3\n".to_owned());
    Ruling { outcome, digest: locked(Risk::Low).digest, note: None, body, option: None, answers: None }
}

const ANNA: Voter = Voter { user_id: Uuid::from_u128(1), reauth_at: DateTime::<Utc>::UNIX_EPOCH };

fn fresh(id: u128) -> Voter {
    Voter { user_id: Uuid::from_u128(id), reauth_at: at(0) }
}

#[test]
fn one_answer_closes_and_the_edge_of_expiry_is_too_late() {
    for outcome in [Outcome::Approved, Outcome::Modified, Outcome::Rejected] {
        assert_eq!(locked(Risk::Medium).judge(&ruling(outcome), ANNA, at(99)), Ok(Step::Closed(outcome)));
        assert_eq!(locked(Risk::Medium).judge(&ruling(outcome), ANNA, at(100)), Err(Refusal::Due));
    }
}

#[test]
fn a_closed_proposal_takes_no_answer_but_the_same_one_again() {
    let vote = Vote {
        user_id: ANNA.user_id,
        outcome: Outcome::Approved,
        digest: locked(Risk::Low).digest,
        answers: None,
        option: None,
    };
    let closed = Locked { status: Status::Approved, votes: vec![vote], ..locked(Risk::Low) };
    assert_eq!(closed.judge(&ruling(Outcome::Approved), ANNA, at(500)), Ok(Step::Repeated));
    let refused = Err(Refusal::Closed(Status::Approved));
    assert_eq!(closed.judge(&ruling(Outcome::Rejected), ANNA, at(1)), refused);
    assert_eq!(closed.judge(&ruling(Outcome::Approved), fresh(2), at(1)), refused);
}

#[test]
fn other_content_is_never_approved() {
    let other = Ruling { digest: Digest::of(b"other"), ..ruling(Outcome::Approved) };
    assert_eq!(locked(Risk::Low).judge(&other, ANNA, at(1)), Err(Refusal::Changed));
}

#[test]
fn high_risk_needs_a_fresh_password_and_a_reason_to_approve_but_not_to_reject() {
    let high = locked(Risk::High);
    let reasoned = Ruling { note: Some("reviewed".into()), ..ruling(Outcome::Approved) };
    assert_eq!(high.judge(&reasoned, ANNA, at(1)), Err(Refusal::ReauthRequired));
    assert_eq!(high.judge(&ruling(Outcome::Approved), fresh(1), at(1)), Err(Refusal::ReasonRequired));
    for nothing in ["  ", "\u{200b}", "\u{2800}", "\u{3164}", "\u{ad}\u{202e}"] {
        let blank = Ruling { note: Some(nothing.into()), ..ruling(Outcome::Approved) };
        assert_eq!(high.judge(&blank, fresh(1), at(1)), Err(Refusal::ReasonRequired), "{nothing:?}");
    }
    assert_eq!(high.judge(&reasoned, fresh(1), at(99)), Ok(Step::Closed(Outcome::Approved)));
    assert_eq!(high.judge(&ruling(Outcome::Rejected), ANNA, at(1)), Ok(Step::Closed(Outcome::Rejected)));
}

#[test]
fn votes_are_counted_per_content_and_person() {
    let two = Requirement { votes: 2, reauth: false, reason: false };
    let first = Locked { requirement: two, ..locked(Risk::Low) };
    assert_eq!(first.judge(&ruling(Outcome::Approved), ANNA, at(1)), Ok(Step::Counted));
    let vote =
        Vote { user_id: ANNA.user_id, outcome: Outcome::Approved, digest: first.digest, answers: None, option: None };
    let second = Locked { votes: vec![vote], ..first };
    assert_eq!(second.judge(&ruling(Outcome::Approved), ANNA, at(1)), Ok(Step::Repeated));
    assert_eq!(second.judge(&ruling(Outcome::Approved), fresh(2), at(1)), Ok(Step::Closed(Outcome::Approved)));
    assert_eq!(second.judge(&ruling(Outcome::Modified), fresh(2), at(1)), Ok(Step::Counted));
    assert_eq!(second.judge(&ruling(Outcome::Rejected), fresh(2), at(1)), Ok(Step::Closed(Outcome::Rejected)));
}

#[test]
fn only_a_change_with_a_body_takes_an_edit() {
    let bare = Locked { has_body: false, ..locked(Risk::Low) };
    assert!(matches!(bare.judge(&ruling(Outcome::Modified), ANNA, at(1)), Err(Refusal::NotModifiable(_))));
    let body = Ruling { body: Some("x".into()), ..ruling(Outcome::Approved) };
    assert!(matches!(locked(Risk::Low).judge(&body, ANNA, at(1)), Err(Refusal::NotModifiable(_))));
}

#[test]
fn every_question_needs_one_fitting_answer() {
    let free = Question { question: "Why?".into(), options: vec![], multi: false, free_text: true };
    let multi =
        Question { question: "All?".into(), options: vec!["x".into(), "y".into()], multi: true, free_text: false };
    let questions = vec![asks::question().questions.remove(0), free, multi];
    let asked = Locked { kind: Kind::Question, has_body: false, questions, ..locked(Risk::Low) };
    let answer = |question, choices: &[&str], text: Option<&str>| Answer {
        question,
        choices: choices.iter().map(|&c| c.to_owned()).collect(),
        text: text.map(str::to_owned),
    };
    let good = [answer(0, &["a"], None), answer(1, &[], Some("so")), answer(2, &["x", "y"], None)];
    let judge = |answers: &[Answer]| {
        let ruling = Ruling { answers: Some(answers.to_vec()), ..ruling(Outcome::Approved) };
        asked.judge(&ruling, ANNA, at(1)).map_err(|refusal| match refusal {
            Refusal::Bad(bad) => bad.field,
            other => format!("{other:?}"),
        })
    };
    assert_eq!(judge(&good), Ok(Step::Closed(Outcome::Approved)));
    let but = |at: usize, answer: Answer| {
        let mut answers = good.to_vec();
        answers[at] = answer;
        answers
    };
    for (field, answers) in [
        ("answers", good[..2].to_vec()),
        ("answers", but(2, good[0].clone())),
        ("answers[0].choices", but(0, answer(0, &["c"], None))),
        ("answers[0].choices", but(0, answer(0, &["a", "b"], None))),
        ("answers[2].choices", but(2, answer(2, &["x", "x"], None))),
        ("answers[0].text", but(0, answer(0, &["a"], Some("more")))),
        ("answers[1]", but(1, answer(1, &[], Some(" ")))),
    ] {
        assert_eq!(judge(&answers), Err(field.to_owned()), "{answers:?}");
    }
    let more = [good.to_vec(), vec![answer(3, &["a"], None)]].concat();
    assert_eq!(judge(&more), Err("answers[3].question".to_owned()));
    assert_eq!(asked.judge(&ruling(Outcome::Rejected), ANNA, at(1)), Ok(Step::Closed(Outcome::Rejected)));

    let vote = Vote {
        user_id: ANNA.user_id,
        outcome: Outcome::Approved,
        digest: asked.digest,
        answers: Some(good.to_vec()),
        option: None,
    };
    let closed = Locked { status: Status::Approved, votes: vec![vote], ..asked.clone() };
    let again = |answers: Vec<Answer>| {
        closed.judge(&Ruling { answers: Some(answers), ..ruling(Outcome::Approved) }, ANNA, at(1))
    };
    assert_eq!(again(good.to_vec()), Ok(Step::Repeated));
    let other = but(0, answer(0, &["b"], None));
    assert_eq!(again(other), Err(Refusal::Closed(Status::Approved)), "another answer is not the same answer");
}

#[test]
fn a_dialog_takes_a_row_that_holds_once_while_it_is_on_the_screen() {
    use crate::domain::dialog::DialogKind;
    use crate::domain::pick::Row;
    let option = |n| DialogOption { n, text: format!("row {n}"), selected: false };
    let rows =
        [1, 2, 3].map(|n| Row { option: option(n), standing: (n == 2).then_some(Standing::Remembered) }).to_vec();
    let asked =
        Asked { kind: DialogKind::Permission, rows, approve: Some(option(1)), deny: Some(option(3)), ended: false };
    let dialog = Locked { kind: Kind::Dialog, has_body: true, dialog: Some(asked.clone()), ..locked(Risk::Low) };
    let named = |outcome, option| Ruling { option, ..ruling(outcome) };
    assert_eq!(dialog.judge(&named(Outcome::Approved, None), ANNA, at(1)), Ok(Step::Closed(Outcome::Approved)));
    assert_eq!(dialog.picked(&named(Outcome::Rejected, None)), Ok(Some(option(3))));
    assert_eq!(
        dialog.judge(&named(Outcome::Approved, Some(2)), ANNA, at(1)),
        Err(Refusal::StandingOption(Standing::Remembered))
    );
    assert!(matches!(dialog.judge(&named(Outcome::Rejected, Some(7)), ANNA, at(1)), Err(Refusal::Bad(_))));
    assert!(matches!(dialog.judge(&ruling(Outcome::Modified), ANNA, at(1)), Err(Refusal::NotModifiable(_))));
    let gone = Locked { dialog: Some(Asked { ended: true, ..asked }), ..dialog.clone() };
    let refused = Err(Refusal::Closed(Status::Withdrawn));
    assert_eq!(gone.judge(&named(Outcome::Approved, None), ANNA, at(1)), refused);
    // The same row again is the same answer, another row is not.
    let vote = Vote {
        user_id: ANNA.user_id,
        outcome: Outcome::Approved,
        digest: dialog.digest,
        answers: None,
        option: Some(1),
    };
    let closed = Locked { status: Status::Approved, votes: vec![vote], ..dialog };
    assert_eq!(closed.judge(&named(Outcome::Approved, Some(1)), ANNA, at(9)), Ok(Step::Repeated));
    let other = closed.judge(&named(Outcome::Approved, Some(3)), ANNA, at(9));
    assert_eq!(other, Err(Refusal::Closed(Status::Approved)));
    let plain = locked(Risk::Low).judge(&named(Outcome::Approved, Some(1)), ANNA, at(1));
    assert!(matches!(plain, Err(Refusal::Bad(bad)) if bad.field == "option"));
}
