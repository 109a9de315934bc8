//! A client that stands still at whatever point it has reached, with no key of it on the way.

use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::pane_client::desk::Desk;
use crate::support::server::signal;

/// Longer than a call of tmux takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The client of a desk, standing still until this is dropped.
pub struct Frozen(u32);

impl Frozen {
    /// Stops it. What it had begun to type has arrived when this returns.
    pub fn client(desk: &Desk) -> Self {
        let frozen = Self(desk.watch.pid());
        signal(frozen.0, Signal::STOP);
        let began = Instant::now();
        while works(frozen.0) {
            assert!(began.elapsed() < PATIENCE, "what the client started does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        // Keys arrive in order, and nothing answers this one: whatever came before it has been taken when it is noted.
        let pressed = || desk.pane.keys().iter().filter(|key| key.starts_with("Escape")).count();
        let before = pressed();
        desk.press(&["F12"]);
        desk.pane.wait_for("the last key", |_| pressed() > before);
        frozen
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        signal(self.0, Signal::CONT);
    }
}

/// Whether a program that it started is at work, apart from the one that tells it of output.
fn works(client: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{client}/task")).unwrap();
    let children = threads.flat_map(|thread| {
        let listed = std::fs::read_to_string(thread.unwrap().path().join("children")).unwrap_or_default();
        listed.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    });
    children.into_iter().any(|child| {
        let words = std::fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let ended = stat.rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with(['Z', 'X']));
        !ended && !words.contains("\0attach-session\0")
    })
}
