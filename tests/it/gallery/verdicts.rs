//! Sample reviews that are over, and the steps beside a review: the edit and the password.

use countersign::domain::diff::compare;
use countersign::domain::proposal::Status;
use countersign::domain::risk::Risk;
use countersign::domain::text::Shown;
use countersign::http::pages::edit::Edit;
use countersign::http::pages::frame::Tab;
use countersign::http::pages::reauth::Reauth;
use countersign::http::pages::review::{Closed, Gesture, Review, State};

use super::reviews::{BASE, change, command, patch, question, receipts};
use super::samples::{frame, says, when};
use super::{Plate, plate};

fn closed(status: Status, by: &str, after: &str) -> Closed {
    Closed {
        status,
        by: by.into(),
        you: false,
        at: when(40),
        note: None,
        edit: None,
        after: after.into(),
        next: None,
        too_late: false,
        stuck: false,
    }
}

fn edit(diff: bool) -> Edit {
    let body = BASE.replace("api.example.com", "api.eu.example.com");
    Edit {
        frame: frame("Edit", Tab::None),
        id: "a".into(),
        digest: "7f3a91c0aabb".into(),
        lane: "api".into(),
        risk: Risk::High,
        diff: diff.then(|| compare(Shown::default(), BASE, &body)),
        body,
        unseen: diff,
        gesture: Gesture::Password,
        reason: true,
        note: String::new(),
        problem: None,
    }
}

fn reauth() -> Reauth {
    Reauth {
        frame: frame("Password", Tab::None),
        id: "a".into(),
        sentence: "Run a command".into(),
        fields: vec![("note".into(), "as agreed".into())],
        problem: Some("This is not your password.".into()),
    }
}

fn over(review: Review, closed: Closed, steps: usize) -> Review {
    Review { state: State::Closed(Box::new(closed)), receipts: receipts(steps), ..review }
}

fn answered() -> Review {
    let mut answered = question();
    answered.questions[0].choices[1].chosen = true;
    answered.questions[1].choices[2].chosen = true;
    answered.questions[0].answer = Some(says("but rotate them weekly"));
    over(answered, Closed { you: true, ..closed(Status::Approved, "maria", "The agent has it.") }, 5)
}

pub fn plates() -> Vec<Plate> {
    let late = Closed { too_late: true, ..closed(Status::Rejected, "jonas", "The agent has it.") };
    let yours = Closed {
        you: true,
        next: Some("b".into()),
        note: Some(says("Fine, but keep an eye on the log.")),
        ..closed(Status::Approved, "maria", "The agent has not picked it up yet.")
    };
    let edited = Closed {
        you: true,
        edit: Some(compare(Shown::default(), BASE, &BASE.replace("api.example", "api.eu.example"))),
        ..closed(Status::Modified, "maria", "The agent has it.")
    };
    let expired = closed(Status::Expired, "", "Not approved. The agent was told so.");
    vec![
        plate("review-elsewhere", &over(command(), late, 4)),
        plate("review-approved", &over(patch(), yours, 4)),
        plate("review-edited", &over(change(), edited, 5)),
        plate("review-answered", &answered()),
        plate("review-expired", &over(change(), expired, 3)),
        plate("edit", &edit(true)),
        plate("edit-untouched", &edit(false)),
        plate("reauth", &reauth()),
    ]
}
