//! Asks that pass every check, for tests to bend.

use super::*;

pub(crate) fn change() -> Ask {
    Ask {
        kind: Kind::Change,
        action: "edit".into(),
        title: "Raise the limit".into(),
        justification: None,
        body: Some("limit = 2\n".into()),
        base: Some("limit = 1\n".into()),
        command: None,
        questions: vec![],
        expires_in: None,
        wait: None,
    }
}

pub(crate) fn question() -> Ask {
    let question =
        Question { question: "Which?".into(), options: vec!["a".into(), "b".into()], multi: false, free_text: false };
    Ask { kind: Kind::Question, body: None, base: None, questions: vec![question], ..change() }
}
