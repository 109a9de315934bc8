//! The tracker over made-up looks: instances, ends, and the slow arrival of rest.

use super::*;
use crate::domain::facts::PaneIdentity;
use crate::domain::screen::{AgentKind, Reading, Screen, read};
use crate::pane::digest::digest;

const DIALOG: &str = include_str!("../../../tests/fixtures/panes/claude_bash_three_options.txt");
const IDLE: &str = include_str!("../../../tests/fixtures/panes/claude_idle_empty.txt");

struct Pane {
    tracker: Tracker,
    start: Instant,
    ids: u128,
}

fn reading(text: &str) -> Reading {
    read(AgentKind::Claude, &Screen::plain(text, 0))
}

/// A dialog that differs from others by this name alone.
fn named(name: u8) -> ScreenDigest {
    let (server, id, command) = ("1:2".into(), "%3".into(), "claude".into());
    let pane = PaneIdentity { server, id, pid: name.into(), command, cols: 80, rows: 24 };
    digest(AgentKind::Claude, &pane, &reading(DIALOG).dialog.unwrap())
}

impl Pane {
    fn new() -> Self {
        Self { tracker: Tracker::default(), start: Instant::now(), ids: 0 }
    }

    /// A look after so many milliseconds at a screen, with a dialog of this name.
    fn see(&mut self, ms: u64, screen: &str, dialog: Option<u8>) -> Change {
        let reading = reading(screen);
        let mut bytes = [0; 32];
        bytes[0] = u8::try_from(screen.len() % 256).unwrap();
        bytes[1] = dialog.unwrap_or_default();
        let look = Look {
            at: self.start + Duration::from_millis(ms),
            bytes,
            reading: &reading,
            dialog: dialog.map(named),
            alive: true,
        };
        self.ids += 1;
        let id = Uuid::from_u128(self.ids);
        self.tracker.see(&look, || id)
    }
}

#[test]
fn a_dialog_counts_when_it_was_seen_twice_and_ends_with_the_first_look_without_it() {
    let mut pane = Pane::new();
    let once = pane.see(0, DIALOG, Some(1));
    assert_eq!((once.begun, once.again), (None, true));
    let early = pane.see(100, DIALOG, Some(1));
    assert_eq!((early.begun, early.again), (None, true), "two looks within one picture are one");
    let begun = pane.see(200, DIALOG, Some(1)).begun.unwrap();
    assert_eq!(pane.see(400, DIALOG, Some(1)), Change::default(), "the same one goes on");
    let gone = pane.see(600, IDLE, None);
    assert_eq!(gone.ended, Some((begun, Gone::AnsweredLocally)));
    // The same words again are another dialog.
    pane.see(800, DIALOG, Some(1));
    let second = pane.see(1000, DIALOG, Some(1)).begun.unwrap();
    assert_ne!(second, begun);
}

#[test]
fn another_dialog_in_its_place_ends_the_first_at_once() {
    let mut pane = Pane::new();
    pane.see(0, DIALOG, Some(1));
    let first = pane.see(200, DIALOG, Some(1)).begun.unwrap();
    let other = pane.see(400, DIALOG, Some(2));
    assert_eq!((other.ended, other.begun), (Some((first, Gone::Changed)), None));
    // One that flickers between two never begins.
    assert_eq!(pane.see(600, DIALOG, Some(3)).begun, None);
    assert_eq!(pane.see(800, DIALOG, Some(2)).begun, None);
    assert!(pane.see(1000, DIALOG, Some(2)).begun.is_some());
}

#[test]
fn a_screen_that_nobody_understands_ends_a_dialog_without_a_reason() {
    let mut pane = Pane::new();
    pane.see(0, DIALOG, Some(1));
    let id = pane.see(200, DIALOG, Some(1)).begun.unwrap();
    assert_eq!(pane.see(400, "half a pic", None).ended, Some((id, Gone::Vanished)));
    pane.see(600, DIALOG, Some(1));
    let id = pane.see(800, DIALOG, Some(1)).begun.unwrap();
    assert_eq!(pane.tracker.lose(), Some((id, Gone::Vanished)));
    assert_eq!(pane.tracker.standing().status, Status::Unknown);
}

#[test]
fn what_is_let_go_begins_anew() {
    let mut pane = Pane::new();
    pane.see(0, DIALOG, Some(1));
    let first = pane.see(200, DIALOG, Some(1)).begun.unwrap();
    pane.tracker.let_go();
    assert_eq!((pane.tracker.instance(), pane.tracker.standing().status), (None, Status::Blocked));
    let change = pane.see(400, DIALOG, Some(1));
    assert_eq!((change.ended, change.begun, change.again), (None, None, true), "its end is told already");
    assert!(pane.see(600, DIALOG, Some(1)).begun.is_some_and(|second| second != first));
}

#[test]
fn rest_is_believed_when_the_screen_stands_still() {
    let mut pane = Pane::new();
    assert!(pane.see(0, IDLE, None).again, "it is looked at again");
    assert_eq!(pane.tracker.standing().status, Status::Unknown);
    pane.see(1000, IDLE, None);
    assert!(!pane.tracker.standing().safe_to_type);
    pane.see(1600, IDLE, None);
    let standing = pane.tracker.standing();
    assert_eq!((standing.status, standing.safe_to_type, standing.ended_turn), (Status::Idle, true, false));
    pane.see(1700, DIALOG, Some(1));
    assert_eq!(pane.tracker.standing().status, Status::Blocked);
    assert!(!pane.tracker.standing().safe_to_type);
    pane.see(2000, IDLE, None);
    assert_eq!(pane.tracker.standing().status, Status::Unknown);
    pane.see(3600, IDLE, None);
    let standing = pane.tracker.standing();
    assert_eq!((standing.status, standing.ended_turn), (Status::Idle, true), "a turn lay in between");
    pane.see(9000, IDLE, None);
    assert!(pane.tracker.standing().ended_turn, "until the next begins");
}
