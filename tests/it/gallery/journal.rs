//! A sample of the journal.

use countersign::http::pages::audit::{Audit, Entry, Seal};
use countersign::http::pages::frame::Tab;

use super::lists::picks;
use super::samples::{code, frame, when};
use super::{Plate, plate};

fn audit() -> Audit {
    let entry = |id: &str, kind: &str, actor: &str, secs| Entry {
        id: id.into(),
        kind: kind.into(),
        actor: actor.into(),
        lane: Some("api".into()),
        proposal: Some("a".into()),
        details: vec![("outcome".into(), code("approved")), ("note".into(), code("fine\u{202e}txt"))],
        redacted: false,
        at: when(secs),
    };
    Audit {
        frame: frame("Audit", Tab::Audit),
        lanes: picks(&["All", "api"]),
        kinds: picks(&["All", "proposal.created", "proposal.decided"]),
        actor: String::new(),
        from: String::new(),
        to: String::new(),
        rows: vec![
            entry("1 204", "proposal.decided", "person:maria", 40),
            entry("1 203", "proposal.seen", "person:maria", 55),
            entry("1 202", "proposal.created", "agent:api-1", 90),
            Entry {
                lane: None,
                proposal: None,
                redacted: true,
                ..entry("12", "session.opened", "person:jonas", 9_000_000)
            },
        ],
        older: Some("/audit?before=12".into()),
        query: "lane=api".into(),
        seal: Some(Seal { height: "1 200".into(), hash: "7f3a 91c0 55d2".into(), checkpoint: Some(when(300)) }),
        filtered: true,
    }
}

pub fn plates() -> Vec<Plate> {
    let bare = Audit { rows: vec![], older: None, seal: None, filtered: false, ..audit() };
    vec![plate("audit", &audit()), plate("audit-empty", &bare)]
}
