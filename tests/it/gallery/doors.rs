//! Sample doors: sign-in, set-up, errors; and a person's own account.

use countersign::http::pages::account::{Account, GrantRow, SessionRow};
use countersign::http::pages::error::Failed;
use countersign::http::pages::frame::{Frame, Tab};
use countersign::http::pages::login::Login;
use countersign::http::pages::setup::{Problem, Setup};

use super::samples::{frame, when};
use super::{Plate, plate};

fn door(title: &str) -> Frame {
    Frame { title: title.into(), ..Frame::default() }
}

fn failed(status: u16, heading: &str, detail: &str) -> Failed {
    Failed {
        frame: door(heading),
        status,
        heading: heading.into(),
        detail: detail.into(),
        request_id: "01890a5d-ac96-774b-bcce-b302099a8057".into(),
        unsent: None,
    }
}

fn login(problem: Option<&str>) -> Login {
    Login {
        frame: door("Sign in"),
        next: "/".into(),
        name: String::new(),
        problem: problem.map(Into::into),
        notice: None,
    }
}

fn setup(problem: Option<Problem>) -> Setup {
    Setup { frame: door("Set up"), code: String::new(), name: String::new(), problem }
}

fn account(notice: Option<String>, problem: Option<Problem>) -> Account {
    let session = |id: &str, device: &str, source: &str, this| SessionRow {
        id: id.into(),
        device: device.into(),
        source: source.into(),
        since: when(90_000),
        seen: when(12),
        this,
    };
    Account {
        frame: frame("Account", Tab::Account),
        name: "maria".into(),
        grants: vec![
            GrantRow { role: "admin", scope: "everywhere".into(), limits: None, until: None },
            GrantRow {
                role: "approver",
                scope: "lane web".into(),
                limits: Some("change, question; up to medium risk".into()),
                until: Some("12 Dec, 18:00:00 CET".into()),
            },
        ],
        sessions: vec![
            session("1", "Firefox on Android", "192.168.1.20", true),
            session("2", "Chrome on Linux", "127.0.0.1", false),
        ],
        zone: "Europe/Berlin".into(),
        zones: vec!["Europe/Berlin", "UTC"],
        notice,
        problem,
    }
}

fn wrong(field: &str, text: &str) -> Problem {
    Problem { field: field.into(), text: text.into() }
}

pub fn plates() -> Vec<Plate> {
    let away = "The database cannot be reached. Nothing was decided; try again shortly.";
    let changed = "The password is changed. Your other sessions are signed out.";
    vec![
        plate("login", &login(None)),
        plate("login-wrong", &login(Some("Name or password is wrong. The next try is possible in 8 seconds."))),
        plate("setup", &setup(None)),
        plate("setup-weak", &setup(Some(wrong("password", "This password is on the list of common ones.")))),
        plate("account", &account(None, None)),
        plate("account-done", &account(Some(changed.into()), None)),
        plate("account-wrong", &account(None, Some(wrong("old_password", "This is not your password.")))),
        plate(
            "error-404",
            &failed(404, "There is nothing here", "There is nothing at this address, or nothing that is yours."),
        ),
        plate("error-403", &failed(403, "You may not do this", "Only an auditor or an admin sees the journal.")),
        plate("error-503", &failed(503, "The service cannot answer right now", away)),
    ]
}
