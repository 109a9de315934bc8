//! Sample lists: inbox, history, lanes.

use countersign::domain::proposal::Status;
use countersign::domain::risk::Risk;
use countersign::http::pages::frame::{Frame, Paused, Tab};
use countersign::http::pages::history::{History, Pick, Row};
use countersign::http::pages::inbox::{Group, Inbox, Item, Meanwhile, Start};
use countersign::http::pages::lanes::{LaneRow, Lanes, Pause, Project};
use countersign::http::pages::needs::Need;

use super::lanes::pane;
use super::samples::{code, frame, left, says, when};
use super::{Plate, plate};

fn item(id: &str, risk: Risk, sentence: &str, action: &str) -> Item {
    Item {
        id: id.into(),
        risk,
        sentence: sentence.into(),
        action: code(action),
        class: None,
        command: None,
        command_rest: 0,
        says: says("May I?"),
        notes: vec![],
        misleading: false,
        asked: when(14),
        left: None,
    }
}

fn api() -> Vec<Item> {
    vec![
        Item {
            command: Some(code("git fetch origin && git push --force origin ma\u{200b}in")),
            says: says("Rebased onto the release branch, pushing the cleaned-up history"),
            notes: vec!["1 of 2 votes".into()],
            misleading: true,
            left: Some(left(95)),
            ..item("a", Risk::High, "Run a command", "deploy.push")
        },
        Item {
            says: says("Retry the billing client three times before giving up"),
            notes: vec!["asked again after a rejection".into()],
            asked: when(130),
            left: Some(left(4_000)),
            ..item("b", Risk::Medium, "Change 3 files: 48 lines added, 12 removed", "edit")
        },
    ]
}

fn web() -> Vec<Item> {
    vec![
        Item {
            command: Some(code("git push --force origin main")),
            class: Some("Push to a remote"),
            says: says("Do you want to proceed?"),
            asked: when(40),
            ..item("p", Risk::High, "Push to a remote, rewriting history", "permission")
        },
        Item {
            says: says("Allow the regional billing hosts"),
            notes: vec!["your right to decide here does not reach to high risk".into()],
            asked: when(380),
            ..item("c", Risk::High, "Change a file: 2 lines added, 1 removed", "egress.allow")
        },
        Item {
            says: says("Which auth method should we use for the admin pages, sessions or tokens?"),
            asked: when(560),
            ..item("d", Risk::Low, "Answer a question", "choose")
        },
        Item {
            command: Some(code(
                "find . -name '*.snap' -newer package.json -exec sh -c 'for f in \"$@\"; do mv \"$f\" \"${f%.snap}.old\"; done' _ {} +",
            )),
            command_rest: 412,
            says: says("<img src=x onerror=alert(1)> Clean up"),
            asked: when(4_000),
            ..item("e", Risk::Medium, "Run a command", "shell")
        },
    ]
}

pub fn groups() -> Vec<Group> {
    vec![
        Group { lane: "api".into(), about: "2 agents".into(), items: api() },
        Group { lane: "web-checkout-redesign".into(), about: "1 agent".into(), items: web() },
    ]
}

fn meanwhile() -> Meanwhile {
    Meanwhile { agents: 3, decided: 17, last: Some(("Approved by you".into(), when(720))) }
}

fn inbox(groups: Vec<Group>, start: Option<Start>) -> Inbox {
    let frame = frame("Inbox", Tab::Inbox);
    Inbox { frame, needs: vec![], groups, start, meanwhile: meanwhile(), more: 0, stranger: false }
}

/// What else somebody is needed for.
pub fn needs() -> Vec<Need> {
    let need = |head: &'static str, detail: &str, lane: &str| Need {
        id: uuid::Uuid::from_u128(3),
        head,
        detail: detail.into(),
        lane: lane.into(),
        link: "/p/a".into(),
        since: when(240),
        may_close: true,
    };
    vec![
        need(
            "An answer may not have worked",
            "An answer was sent to pane work.2, and it is not known to have worked. Look at the terminal.",
            "api",
        ),
        need(
            "An agent has stalled",
            "Nothing has moved for 20 minutes, and two nudges changed nothing.",
            "web-checkout-redesign",
        ),
    ]
}

fn start() -> Start {
    Start { url: "http://127.0.0.1:7440".into(), project: true, lane: false, agent: false }
}

pub fn rows() -> Vec<Row> {
    let row = |id: &str, status: Status, by: &str, secs: i64| Row {
        id: id.into(),
        lane: "api".into(),
        risk: Risk::Medium,
        status,
        question: false,
        sentence: "Change a file: 12 lines added, 3 removed".into(),
        action: code("edit"),
        class: None,
        command: None,
        says: says("Retry the billing client three times"),
        by: by.into(),
        at: when(secs),
        after: "the agent has it".into(),
        note: None,
    };
    vec![
        row("a", Status::Approved, "you", 40),
        Row {
            sentence: "Run a command".into(),
            class: Some("Running a command"),
            command: Some(code("cargo test --workspace")),
            after: "pressed".into(),
            ..row("f", Status::Approved, "the policy, version 3", 900)
        },
        Row { note: Some(says("Not on a Friday. Ask again on Monday.")), ..row("b", Status::Rejected, "jonas", 3_000) },
        row("c", Status::Modified, "you", 9_000),
        Row { after: "not approved".into(), ..row("d", Status::Expired, "", 90_000) },
        Row { after: "the agent moved on".into(), ..row("e", Status::Withdrawn, "", 900_000) },
    ]
}

pub fn picks(labels: &[&str]) -> Vec<Pick> {
    labels
        .iter()
        .enumerate()
        .map(|(at, label)| Pick { value: (*label).into(), label: (*label).into(), on: at == 0 })
        .collect()
}

fn history(rows: Vec<Row>, filtered: bool) -> History {
    History {
        frame: frame("History", Tab::History),
        lanes: picks(&["All", "api", "web"]),
        statuses: picks(&["All", "Approved", "Rejected"]),
        older: (!rows.is_empty()).then(|| "/history?before=x".into()),
        rows,
        filtered,
    }
}

fn lanes(projects: Vec<Project>) -> Lanes {
    Lanes { frame: frame("Lanes", Tab::Lanes), projects, pause: Some(Pause::default()) }
}

fn projects() -> Vec<Project> {
    let lane = |name: &str, waiting, active| LaneRow {
        name: name.into(),
        agents: 2,
        waiting,
        supervised: if waiting > 2 { ("supervised", true) } else { ("not supervised", false) },
        active,
        panes: if name == "api" {
            vec![pane("work.3", "waits for an answer"), pane("work.5", "at work")]
        } else {
            vec![]
        },
    };
    vec![
        Project {
            name: "shop".into(),
            path: "/home/maria/shop".into(),
            lanes: vec![
                lane("api", 2, Some(when(14))),
                lane("web-checkout-redesign", 3, Some(when(380))),
                lane("docs", 0, None),
            ],
        },
        Project { name: "tools".into(), path: "/home/maria/tools".into(), lanes: vec![] },
    ]
}

pub fn plates() -> Vec<Plate> {
    let mut few = groups();
    few.truncate(1);
    few[0].items.remove(0);
    let paused = Paused { by: "jonas".into(), reason: "deploying the new policy".into(), at: when(900) };
    let worried = Frame { insecure: true, paused: Some(paused), ..frame("Inbox", Tab::Inbox) };
    vec![
        plate("inbox", &inbox(groups(), None)),
        plate("inbox-needs", &Inbox { needs: needs(), ..inbox(groups(), None) }),
        plate("lane-inbox", &inbox(few, None)),
        plate("inbox-empty", &inbox(vec![], None)),
        plate("inbox-start", &inbox(vec![], Some(start()))),
        plate("inbox-worried", &Inbox { frame: worried, ..inbox(groups(), None) }),
        plate("history", &history(rows(), false)),
        plate("history-empty", &history(vec![], true)),
        plate("lanes", &lanes(projects())),
        plate("lanes-empty", &lanes(vec![])),
    ]
}
