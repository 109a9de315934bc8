//! Two hundred ways in which something comes between a decision and its key: a key lands in the decided dialog or nowhere.

use std::fs;

use countersign::domain::facts::PaneIdentity;
use countersign::domain::screen::AgentKind;
use countersign::pane::send::{Decided, Errand};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::screens::{LIMITED, asks, rests, works};
use super::stage::{FACTS, Script, Stage};

const STAGES: usize = 8;
const CASES: usize = 200;

/// What comes between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Nothing,
    SameAgain,
    MarkMoves,
    OtherCommand,
    Works,
    Rests,
    Limit,
    Scrolls,
    StopsScrolling,
    Resizes,
    ResizesBack,
    Synchronizes,
}

const EVENTS: &[Event] = &[
    Event::Nothing,
    Event::Nothing,
    Event::SameAgain,
    Event::SameAgain,
    Event::MarkMoves,
    Event::MarkMoves,
    Event::OtherCommand,
    Event::Works,
    Event::Rests,
    Event::Limit,
    Event::Scrolls,
    Event::StopsScrolling,
    Event::Resizes,
    Event::ResizesBack,
    Event::Synchronizes,
];

/// What the pane is like after the events so far.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that happened or did not")]
struct State {
    decided: bool,
    scrolls: bool,
    resized: bool,
    synchronized: bool,
}

impl State {
    fn after(mut self, event: Event) -> Self {
        match event {
            Event::Nothing => {}
            Event::SameAgain | Event::MarkMoves => self.decided = true,
            Event::OtherCommand | Event::Works | Event::Rests | Event::Limit => self.decided = false,
            Event::Scrolls => self.scrolls = true,
            Event::StopsScrolling => self.scrolls = false,
            Event::Resizes => self.resized = true,
            Event::ResizesBack => self.resized = false,
            Event::Synchronizes => self.synchronized = true,
        }
        self
    }

    fn may_be_pressed(self) -> bool {
        self.decided && !self.scrolls && !self.resized && !self.synchronized
    }
}

const COMMAND: &str = "cargo test --workspace";
const COLS: usize = 100;

fn moved() -> String {
    asks(COMMAND, COLS).replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No")
}

async fn happen(stage: &Stage, event: Event) {
    match event {
        Event::Nothing => {}
        Event::SameAgain => stage.paint(&asks(COMMAND, COLS)).await,
        Event::MarkMoves => stage.paint(&moved()).await,
        Event::OtherCommand => stage.paint(&asks("cargo test --workspaces", COLS)).await,
        Event::Works => stage.paint(&works(COLS)).await,
        Event::Rests => stage.paint(&rests("", COLS)).await,
        Event::Limit => stage.paint(LIMITED).await,
        Event::Scrolls => drop(stage.tmux(&["copy-mode", "-t", "%0"])),
        Event::StopsScrolling => stop_scrolling(stage),
        Event::Resizes => drop(stage.tmux(&["resize-window", "-t", "main", "-x", "100", "-y", "25"])),
        Event::ResizesBack => drop(stage.tmux(&["resize-window", "-t", "main", "-x", "100", "-y", "24"])),
        Event::Synchronizes => drop(stage.tmux(&["set-option", "-w", "-t", "main", "synchronize-panes", "on"])),
    }
}

fn stop_scrolling(stage: &Stage) {
    if stage.tmux(&["display-message", "-p", "-t", "%0", "#{pane_in_mode}"]) != "0" {
        stage.tmux(&["send-keys", "-t", "%0", "-X", "cancel"]);
    }
}

/// The events before the second look, and those between it and the key.
type Case = (Vec<Event>, Vec<Event>);

async fn play(stage: &Stage, case: &Case, decided: &(PaneIdentity, Decided), key: &str) {
    stop_scrolling(stage);
    stage.tmux(&["set-option", "-w", "-t", "main", "synchronize-panes", "off"]);
    happen(stage, Event::ResizesBack).await;
    happen(stage, Event::SameAgain).await;
    let before = fs::read(stage.folder.join("keys")).unwrap().len();
    let facts = async {
        for event in &case.0 {
            happen(stage, *event).await;
        }
        Some(FACTS.to_owned())
    };
    let begin = async {
        for event in &case.1 {
            happen(stage, *event).await;
        }
        Ok(())
    };
    let report = stage.send(&decided.0, Errand::Answer(&decided.1), facts, begin).await;
    let fresh = State { decided: true, scrolls: false, resized: false, synchronized: false };
    let seen = case.0.iter().fold(fresh, |state, event| state.after(*event));
    let struck = case.1.iter().fold(seen, |state, event| state.after(*event));
    let pressed = seen.may_be_pressed() && struck.may_be_pressed();
    stop_scrolling(stage);
    stage.tmux(&["set-option", "-w", "-t", "main", "synchronize-panes", "off"]);
    let typed = stage.typed().await.split_off(before);
    assert_eq!(typed, if pressed { key } else { "" }, "{case:?}: {report:?}");
    assert_eq!(report.outcome.as_str(), if pressed { "sent" } else { "skipped" }, "{case:?}: {report:?}");
    assert_eq!(report.keys.len(), usize::from(pressed), "{case:?}");
}

#[tokio::test]
async fn a_key_lands_in_the_decided_dialog_or_nowhere() {
    let events = || prop::collection::vec(prop::sample::select(EVENTS), 0..3);
    let mut runner = TestRunner::default();
    let cases: Vec<Case> = (0..CASES).map(|_| (events(), events()).new_tree(&mut runner).unwrap().current()).collect();
    let plays = cases.chunks(CASES / STAGES).zip(["1", "2"].into_iter().cycle()).map(async |(own, key)| {
        let mut script = Script::new(AgentKind::Claude, (100, 24), &asks(COMMAND, COLS));
        for _ in own {
            script = script.on(key, &works(COLS));
        }
        let stage = script.play().await;
        let decided = stage.decide(key.parse().unwrap()).await;
        for case in own {
            play(&stage, case, &decided, key).await;
        }
    });
    futures_util::future::join_all(plays).await;
}
