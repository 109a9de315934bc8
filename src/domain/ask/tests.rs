//! Every bound, and what the digest covers.

use super::samples::{change, question};
use super::*;

#[test]
fn every_bound_names_its_field() {
    assert_eq!(change().check(), Ok(()));
    assert_eq!(question().check(), Ok(()));
    let with_question = |change: fn(&mut Question)| {
        let mut ask = question();
        change(&mut ask.questions[0]);
        ask
    };
    let cases: Vec<(&str, Ask)> = vec![
        ("action", Ask { action: " ".into(), ..change() }),
        ("action", Ask { action: "x".repeat(65), ..change() }),
        ("action", Ask { action: " egress.x".into(), ..change() }),
        ("action", Ask { action: "\u{435}gress.x".into(), ..change() }),
        ("title", Ask { title: "\u{200b}".into(), ..change() }),
        ("title", Ask { title: String::new(), ..change() }),
        ("title", Ask { title: "two\nlines".into(), ..change() }),
        ("title", Ask { title: "x".repeat(301), ..change() }),
        ("justification", Ask { justification: Some("\0".into()), ..change() }),
        ("body", Ask { body: Some("a\0".into()), ..change() }),
        ("base", Ask { body: None, ..change() }),
        ("command", Ask { command: Some("  ".into()), ..change() }),
        ("expires_in", Ask { expires_in: Some(0), ..change() }),
        ("expires_in", Ask { expires_in: Some(EXPIRES_MAX + 1), ..change() }),
        ("wait", Ask { wait: Some(46), ..change() }),
        ("questions", Ask { questions: question().questions, ..change() }),
        ("questions", Ask { questions: vec![], ..question() }),
        ("body", Ask { body: Some("x".into()), ..question() }),
        ("command", Ask { command: Some("x".into()), ..question() }),
        ("questions[0].question", with_question(|q| q.question.clear())),
        ("questions[0].options", with_question(|q| q.options.clear())),
        ("questions[0].options", with_question(|q| q.options = (0..31).map(|n| n.to_string()).collect())),
        ("questions[0].options[1]", with_question(|q| q.options[1] = "a".into())),
    ];
    for (field, ask) in cases {
        assert_eq!(ask.check().map_err(|bad| bad.field), Err(field.to_owned()));
    }
}

#[test]
fn the_digest_covers_content_and_lane_but_not_the_wrapping() {
    let same = Ask { justification: Some("why".into()), expires_in: Some(9), wait: Some(1), ..change() };
    assert_eq!(same.digest("api"), change().digest("api"));
    assert_ne!(same.request_hash("api"), change().request_hash("api"));
    assert_eq!(Ask { wait: Some(3), ..change() }.request_hash("api"), change().request_hash("api"));
    let others = [
        Ask { action: "x".into(), ..change() },
        Ask { title: "x".into(), ..change() },
        Ask { body: None, base: None, ..change() },
        Ask { base: None, ..change() },
        Ask { command: Some("ls".into()), ..change() },
        question(),
    ];
    for other in others {
        assert_ne!(other.digest("api"), change().digest("api"), "{other:?}");
    }
    assert_ne!(change().digest("api"), change().digest("web"));
}
