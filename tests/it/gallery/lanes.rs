//! Sample lanes: supervised, not supervised, with a log and without.

use countersign::domain::class::Class;
use countersign::http::pages::frame::Tab;
use countersign::http::pages::lane::{Acted, Agent, ClassRow, Lane, Letter, Pane, Policy, Stall, Ticket};
use countersign::http::pages::mail::Mail;
use countersign::http::pages::nudge::Nudge;
use countersign::http::pages::suggest::Suggest;

use super::lists::{groups, needs, rows};
use super::samples::{code, frame, left, says, when};
use super::{Plate, plate};

fn class(class: Class) -> ClassRow {
    let (does, action, own) = match class {
        Class::CommandExec => ("approves, if proven to stay inside", "auto_approve", false),
        Class::FileWrite => ("approves, if proven to stay inside", "auto_approve", true),
        Class::Install => ("refuses", "auto_deny", true),
        _ => ("asks a person", "hold", false),
    };
    ClassRow { name: countersign::http::pages::words::dialogs::class(class), word: class.as_str(), does, action, own }
}

fn policy(master: bool, lane: bool) -> Policy {
    Policy {
        version: 7,
        master,
        lane,
        rows: Class::ALL.iter().copied().map(class).collect(),
        mail: "a line says that there is mail",
        nudge_text: says("Check your Countersign mail and act on it."),
        stalled: "after 20 minutes without a change; a person is called after 2 nudges".into(),
        expect_work: false,
        hosts: vec![code("localhost"), code("https://github.com")],
    }
}

fn acted(id: &str, what: &'static str, outcome: &'static str, subject: &str) -> Acted {
    Acted {
        id: id.into(),
        at: when(40),
        what,
        outcome,
        subject: Some(code(subject)),
        class: Some("Running a command"),
        why: "The policy approves this class where it is proven to stay inside.".into(),
        pane: code("api.1 · claude"),
        keys: vec!["1".into()],
        version: Some(7),
        excerpt: Some(says(
            "Bash command\n\n  cargo test\n\nDo you want to proceed?\n\u{1b}[36m❯ 1. Yes\u{1b}[0m\n  2. No",
        )),
        proposal: Some("a".into()),
    }
}

fn activity() -> Vec<Acted> {
    vec![
        acted("9", "Approved", "sent", "cargo test --workspace --locked"),
        Acted {
            keys: vec![],
            why: "Not proven to stay inside the repository.".into(),
            at: when(300),
            ..acted("8", "Left to a person", "held", "cat ../web/.env | sort")
        },
        Acted {
            keys: vec![],
            why: "Somebody is scrolling in the pane.".into(),
            at: when(3_000),
            excerpt: None,
            ..acted("7", "Nothing typed", "skipped", "cargo fmt")
        },
        Acted {
            class: None,
            why: "Somebody asked for it.".into(),
            at: when(9_000),
            version: None,
            ..acted("6", "Nudged", "sent", "Check your Countersign mail and act on it.")
        },
    ]
}

pub fn pane(key: &str, status: &'static str) -> Pane {
    let loud = status == "waits for an answer";
    let client = code("desk 0.1.0 on build-3");
    Pane { key: code(key), agent_kind: code("claude"), status, loud, since: when(75), reported: when(4), client }
}

fn letters() -> Vec<Letter> {
    let letter = |from: &str, state: &str, text: &str| Letter {
        id: "a".into(),
        from: from.into(),
        state: state.into(),
        loud: state == "not delivered",
        sent: when(380),
        says: Some(says(text)),
        rest: 0,
    };
    vec![
        letter(
            "painter in web-checkout-redesign",
            "not delivered",
            "The checkout calls /v2/prices now.\nPlease keep /v1 until Monday.",
        ),
        letter("maria", "waits, tried once", "Look at the flaky test first. <img src=x onerror=alert(1)>"),
        Letter { rest: 812, ..letter("chief in plan", "read", "Here is the brief for the billing client:") },
        Letter { says: None, ..letter("jonas, at the machine", "typed", "") },
    ]
}

fn stall() -> Stall {
    Stall { pane: code("api.2"), still: when(1_700), tried: "2 nudges typed".into(), told: Some(when(120)) }
}

fn tickets() -> Vec<Ticket> {
    let ticket = |state: &'static str, asks: bool| Ticket {
        lead: ("chief".into(), "plan".into()),
        member: (code("work.3"), "api".into()),
        asks,
        state,
        sent: when(95),
        left: asks.then(|| left(40)),
    };
    vec![ticket("has a question", true), ticket("at work on it", false), ticket("waits for its turn", false)]
}

fn lane() -> Lane {
    let agent = |name: &str, lead, pending, seen| Agent { name: name.into(), lead, pending: (pending, 20), seen };
    Lane {
        frame: frame("api", Tab::Lanes),
        name: "api".into(),
        project: "shop".into(),
        worktree: "/home/maria/shop/api".into(),
        policy: policy(true, true),
        activity: activity(),
        panes: vec![pane("api.1", "waits for an answer"), pane("api.2", "at work"), pane("api.3", "not heard of")],
        nudge: Some(Nudge {
            panes: vec!["api.1".into(), "api.2".into()],
            usual: "Check your Countersign mail and act on it.".into(),
            done: Some("The line was typed."),
            ..Nudge::default()
        }),
        mail: Some(Mail { way: "It is typed to the agent in one line, once it is idle.", ..Mail::default() }),
        suggest: Some(Suggest { action: "/lanes/api/suggest".into(), ..Suggest::default() }),
        needs: needs(),
        letters: letters(),
        stalls: vec![stall()],
        tickets: tickets(),
        agents: vec![agent("api-1", true, 2, Some(when(14))), agent("api-2", false, 0, None)],
        waiting: groups().remove(0).items,
        decided: rows(),
    }
}

fn quiet() -> Lane {
    Lane {
        policy: policy(false, false),
        activity: vec![],
        needs: vec![],
        letters: vec![],
        stalls: vec![],
        tickets: vec![],
        agents: vec![],
        waiting: vec![],
        decided: vec![],
        ..lane()
    }
}

pub fn plates() -> Vec<Plate> {
    vec![plate("lane", &lane()), plate("lane-quiet", &quiet())]
}
