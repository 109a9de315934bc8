//! Bounds, digest and headline of reports.

use uuid::Uuid;

use super::samples::report;
use super::*;

#[test]
fn the_digest_names_the_content_and_not_the_cursor() {
    let one = report("cargo test");
    let moved = |change: fn(&mut Report)| {
        let mut other = one.clone();
        change(&mut other);
        other.digest() != one.digest()
    };
    assert!(!moved(|_| ()));
    assert!(!moved(|r| r.options[0].selected = false));
    assert!(!moved(|r| r.options[2].selected = true));
    assert!(!moved(|r| r.context = Some("said more".into())));
    assert!(!moved(|r| r.pane_excerpt = Some("screen".into())));
    assert!(moved(|r| r.title.push('x')));
    assert!(moved(|r| r.question.push('x')));
    assert!(moved(|r| r.command = None));
    assert!(moved(|r| r.body = Some(String::new())));
    assert!(moved(|r| r.options[1].text.push('x')));
    assert!(moved(|r| r.options[1].n = 9));
    assert!(moved(|r| drop(r.options.pop())));
    assert!(moved(|r| r.lane = "web".into()));
    assert!(moved(|r| r.instance = Uuid::from_u128(8)));
    assert!(moved(|r| r.kind = DialogKind::Plan));
}

#[test]
fn every_bound_names_its_field() {
    let blamed = |change: fn(&mut Report)| {
        let mut bad = report("ls");
        change(&mut bad);
        bad.check().err().map(|bad| bad.field)
    };
    assert_eq!(blamed(|_| ()), None);
    assert_eq!(blamed(|r| r.body = Some("a".repeat(100_000))), None);
    for (change, field) in [
        ((|r| r.pane = "a b".into()) as fn(&mut Report), "pane"),
        (|r| r.pane = String::new(), "pane"),
        (|r| r.agent_kind = "\n".into(), "agent_kind"),
        (|r| r.session_id = Some(String::new()), "session_id"),
        (|r| r.title = "a".repeat(4_001), "title"),
        (|r| r.question = "\0".into(), "question"),
        (|r| r.command = Some("\0".into()), "command"),
        (|r| r.cwd = "/".repeat(5_000), "cwd"),
        (|r| r.pane_excerpt = Some("a".repeat(70_000)), "pane_excerpt"),
        (|r| r.options[2].n = 1_000, "options[2].n"),
        (|r| r.options[1].text = "\0".into(), "options[1].text"),
        (|r| r.options = vec![r.options[0].clone(); 31], "options"),
        (|r| r.facts = Some(Facts { shell: "\0".into(), ..Facts::default() }), "facts"),
        (
            |r| {
                (r.title, r.question, r.command) = (" ".into(), "\u{200b}".into(), None);
                r.options.clear();
            },
            "title",
        ),
    ] {
        assert_eq!(blamed(change).as_deref(), Some(field));
    }
}

#[test]
fn the_headline_is_the_first_thing_to_read() {
    let mut one = report("ls -la\nrm");
    assert_eq!(one.headline(), "Bash command");
    one.title = "\n \u{200b}".into();
    assert_eq!(one.headline(), "Do you want to proceed?");
    one.question = String::new();
    assert_eq!(one.headline(), "ls -la");
}
