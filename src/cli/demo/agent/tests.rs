//! What the simulated agent draws is read as what it means, at any width.

use std::num::NonZero;

use super::canvas::Canvas;
use super::keys::Key;
use super::play::Play;
use super::script;
use crate::domain::dialog::DialogKind;
use crate::domain::screen::{self, AgentKind, Reading, Status};
use crate::pane::frame::{self, Size};

const SIZES: [(u16, u16); 4] = [(48, 40), (60, 30), (80, 30), (120, 40)];

const ASK: &str = r#"{"say":"First I look which migrations are new."}
{"ask":{"title":"Bash command","command":"cargo test --locked --lib -- migrations::new --nocapture","description":"Run the tests of the new migrations","options":["Yes","Yes, and don't ask again for: cargo test:*","No"],"footer":"Esc to cancel · Tab to amend · ctrl+e to explain"}}"#;
const EDIT: &str = r#"{"ask":{"title":"Edit file","file":"src/limits.rs","diff":"39        let cap = cfg.max_inflight;\n41 -      if n > cap {\n41 +      if n >= cap {","question":"Do you want to make this edit to limits.rs?","options":["Yes","Yes, allow all edits during this session (shift+tab)","No"]}}"#;
const FETCH: &str = r#"{"ask":{"title":"Fetch","body":"https://docs.example.org/frames\nClaude wants to fetch content from docs.example.org","question":"Do you want to allow Claude to fetch this content?","options":["Yes","Yes, and don't ask again for docs.example.org","No, and tell Claude what to do differently (esc)"],"footer":""}}"#;

/// An agent, and a terminal on which it is painted as bytes arrive.
struct Stage {
    play: Play,
    canvas: Canvas,
    terminal: vt100::Parser,
    size: (u16, u16),
}

impl Stage {
    fn open(kind: AgentKind, text: &str, size: (u16, u16)) -> Self {
        let play = Play::new(kind, script::read(text, kind).unwrap(), false);
        let (cols, rows) = (NonZero::new(size.0).unwrap(), NonZero::new(size.1).unwrap());
        let terminal = vt100::Parser::new(rows, cols, 1000);
        let mut stage = Self { play, canvas: Canvas::default(), terminal, size };
        stage.paint(0);
        stage
    }

    fn paint(&mut self, now: u64) {
        let (cols, rows) = self.size;
        let painted = self.canvas.paint(&mut self.play, (cols.into(), rows.into()), now);
        self.terminal.process(painted.as_bytes());
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
        let (cols, rows) = (NonZero::new(size.0).unwrap(), NonZero::new(size.1).unwrap());
        self.terminal.screen_mut().set_size(rows, cols);
        self.paint(0);
    }

    fn press(&mut self, key: &Key) -> Vec<serde_json::Value> {
        let notes = self.play.key(key, 0);
        self.paint(0);
        notes
    }

    fn read(&self) -> Reading {
        let (cols, rows) = self.size;
        let lines: Vec<String> = self.terminal.screen().rows_formatted(0, cols).collect();
        let size = Size { cols: Some(cols), rows: Some(rows) };
        screen::read(self.play.kind, &frame::screen(lines.join("\n").as_bytes(), size))
    }

    fn seen(&self) -> String {
        self.terminal.screen().contents()
    }
}

#[test]
fn permissions_are_read_at_every_width() {
    for size in SIZES {
        let stage = Stage::open(AgentKind::Claude, ASK, size);
        let reading = stage.read();
        let found = reading.dialog.unwrap_or_else(|| panic!("{size:?}\n{}", stage.seen()));
        assert_eq!((found.kind, found.title.as_deref()), (DialogKind::Permission, Some("Bash command")));
        let command = "cargo test --locked --lib -- migrations::new --nocapture";
        assert_eq!(found.command.as_deref(), Some(command), "{size:?}\n{}", stage.seen());
        assert_eq!(found.body.as_deref(), Some("Run the tests of the new migrations"));
        assert_eq!(found.question, "Do you want to proceed?");
        assert_eq!((found.approve_option, found.deny_option, found.truncated), (Some(1), Some(3), false));
        assert_eq!(found.options[1].text, "Yes, and don't ask again for: cargo test:*");
        assert!(found.options[0].selected && found.options[1].standing);
    }
}

#[test]
fn edits_and_fetches_are_read() {
    for size in SIZES {
        let found = Stage::open(AgentKind::Claude, EDIT, size).read().dialog.unwrap();
        assert_eq!(found.title.as_deref(), Some("Edit file"), "{size:?}");
        assert_eq!((found.approve_option, found.deny_option, found.truncated), (Some(1), Some(3), false));
        assert!(found.body.unwrap().contains("41 +      if n >= cap {"));
        let found = Stage::open(AgentKind::Claude, FETCH, size).read().dialog.unwrap();
        assert_eq!(found.title.as_deref(), Some("Fetch"), "{size:?}");
        assert!(found.body.unwrap().starts_with("https://docs.example.org/frames"));
        assert_eq!((found.approve_option, found.deny_option), (Some(1), Some(3)));
    }
}

#[test]
fn choices_plans_and_limits_are_no_permissions() {
    let choice = r#"{"choice":{"tab":"Storage","question":"Where should the rows live?","options":[{"text":"SQLite","about":"One file"},{"text":"Postgres"}]}}"#;
    let plan = r#"{"plan":{"body":"Add backpressure\n\n1. Bound the queue\n2. Return Busy"}}"#;
    let limit = r#"{"limit":{"resets":"6:40pm (Europe/Lisbon)"}}"#;
    for size in SIZES {
        for (text, kind) in [(choice, DialogKind::Decision), (plan, DialogKind::Plan), (limit, DialogKind::UsageLimit)]
        {
            let stage = Stage::open(AgentKind::Claude, text, size);
            let found = stage.read().dialog.unwrap_or_else(|| panic!("{size:?}\n{}", stage.seen()));
            assert_eq!(found.kind, kind, "{size:?}\n{}", stage.seen());
        }
    }
}

#[test]
fn codex_is_read_too() {
    let text = r#"{"ask":{"title":"Command","command":"cargo update -p frame-codec","description":"The lock file is old.","options":["Yes, proceed (y)","Yes, and don't ask again for commands that start with `cargo update` (p)","No, and tell Codex what to do differently (esc)"]}}
{"work_ms":2000}
{"idle":true}"#;
    for size in SIZES {
        let mut stage = Stage::open(AgentKind::Codex, text, size);
        let found = stage.read().dialog.unwrap_or_else(|| panic!("{size:?}\n{}", stage.seen()));
        assert_eq!(found.command.as_deref(), Some("cargo update -p frame-codec"));
        assert_eq!((found.approve_option, found.deny_option), (Some(1), Some(3)), "{size:?}");
        let notes = stage.press(&Key::Char('n'));
        assert_eq!(notes[1]["chose"]["n"], 3);
        assert_eq!(stage.read().status, Status::Working, "{}", stage.seen());
        stage.play.tick(2000);
        stage.paint(2000);
        let reading = stage.read();
        assert!(reading.status == Status::Idle && reading.safe_to_type, "{}", stage.seen());
    }
}

#[test]
fn work_and_rest_are_read_and_a_draft_is_seen() {
    for size in SIZES {
        let mut stage =
            Stage::open(AgentKind::Claude, "{\"work_ms\":1500}\n{\"suggest\":\"Try \\\"fix it\\\"\"}", size);
        assert_eq!(stage.read().status, Status::Working, "{}", stage.seen());
        assert_eq!(stage.play.wakes(0), Some(500));
        stage.play.tick(1500);
        stage.paint(1500);
        let reading = stage.read();
        assert!(reading.status == Status::Idle && reading.safe_to_type, "{}", stage.seen());
        stage.press(&Key::Paste("Check your mail and act on it, then say what you found".to_owned()));
        assert!(!stage.read().safe_to_type, "{}", stage.seen());
        let typed = stage.press(&Key::Enter);
        assert_eq!(typed[1]["typed"], "Check your mail and act on it, then say what you found");
        assert!(stage.read().safe_to_type, "{}", stage.seen());
    }
    assert!(Stage::open(AgentKind::Claude, "{\"survey\":true}", (80, 24)).read().survey);
}

#[test]
fn a_key_chooses_once_and_old_dialogs_are_history() {
    let text = format!("{ASK}\n{}\n{{\"idle\":true}}", ASK.replace("migrations::new", "other"));
    let mut stage = Stage::open(AgentKind::Claude, &text, (100, 24));
    let notes = stage.press(&Key::Char('1'));
    assert_eq!(notes.len(), 2);
    assert_eq!((&notes[0]["key"], &notes[1]["chose"]["n"]), (&"1".into(), &1.into()));
    let found = stage.read().dialog.unwrap();
    assert!(found.command.unwrap().contains("other"), "{}", stage.seen());
    stage.press(&Key::Down);
    stage.press(&Key::Down);
    assert!(stage.read().dialog.unwrap().options[2].selected);
    assert_eq!(stage.press(&Key::Enter)[1]["chose"]["n"], 3);
    assert_eq!(stage.read().status, Status::Idle, "{}", stage.seen());
}

#[test]
fn a_resize_paints_everything_anew() {
    let mut stage = Stage::open(AgentKind::Claude, ASK, (120, 40));
    for size in [(48, 40), (90, 20), (120, 30)] {
        stage.resize(size);
        let found = stage.read().dialog.unwrap_or_else(|| panic!("{size:?}\n{}", stage.seen()));
        assert_eq!((found.approve_option, found.options.len()), (Some(1), 3), "{size:?}\n{}", stage.seen());
        assert_eq!(stage.seen().matches("Do you want to proceed?").count(), 1);
    }
}

#[test]
fn a_stubborn_dialog_swallows_keys_and_a_slow_one_stays() {
    let text = r#"{"ask":{"title":"Bash command","command":"ls","ignores":1,"lingers_ms":3000}}"#;
    let mut stage = Stage::open(AgentKind::Claude, text, (80, 24));
    assert_eq!(stage.press(&Key::Char('1')).len(), 1);
    assert_eq!(stage.press(&Key::Char('1')).len(), 2);
    assert_eq!(stage.press(&Key::Char('1')).len(), 1);
    assert_eq!((stage.read().status, stage.play.wakes(0)), (Status::Blocked, Some(3000)));
    stage.play.tick(3000);
    stage.paint(3000);
    assert_eq!(stage.read().status, Status::Idle, "{}", stage.seen());
}

#[test]
fn a_script_that_never_waits_ends_when_it_is_repeated() {
    let steps = script::read("{\"say\":\"a\"}", AgentKind::Claude).unwrap();
    assert!(Play::new(AgentKind::Claude, steps, true).is_over());
}
