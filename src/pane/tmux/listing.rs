//! The answers of tmux, taken apart at marks that nobody could foresee.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::domain::facts::PaneIdentity;
use crate::domain::screen::Screen;
use crate::pane::frame::{self, Size};

/// One pane as the server has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane {
    /// Which pane it is, and what runs in it at which size.
    pub identity: PaneIdentity,
    /// Its session's name; of several, the first.
    pub session: String,
    /// Where its foreground program works.
    pub cwd: PathBuf,
    /// Keys would not reach this program, or not it alone: somebody scrolls, its input is off, or what is typed into one
    /// pane of the window goes into all.
    pub in_mode: bool,
    /// Its program has ended.
    pub dead: bool,
    /// Its terminal.
    pub tty: String,
    /// Column and row of the cursor: whatever is printed moves it.
    pub cursor: (u32, u32),
}

/// A pane and its visible screen at the same moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The pane.
    pub pane: Pane,
    /// Its rows, colours and all; never its history.
    pub capture: Vec<u8>,
}

impl Sight {
    /// The screen, as the detection reads it.
    pub fn screen(&self) -> Screen {
        frame::screen(&self.capture, Size::of(&self.pane.identity))
    }
}

/// What separates the parts of one answer. Fields and screens have marks of their own, so that no field can begin like a
/// screen.
pub(super) struct Nonce {
    field: String,
    screen: String,
}

impl Nonce {
    pub(super) fn new(field: [u8; 16], screen: [u8; 16]) -> Self {
        // Letters and digits only: tmux must take them for themselves in every format.
        Self { field: format!("f{}", hex::encode(field)), screen: format!("s{}", hex::encode(screen)) }
    }

    /// The format of one pane: numbers first, then what may hold any character.
    pub(super) fn format(&self) -> String {
        let mark = &self.field;
        let mode = "#{||:#{pane_in_mode},#{||:#{pane_synchronized},#{pane_input_off}}}";
        let numbers = "#{pane_id} #{pid}:#{start_time} #{pane_pid} #{pane_width} #{pane_height}";
        let cursor = "#{cursor_x} #{cursor_y}";
        let texts = format!("#{{session_name}}{mark}#{{pane_current_command}}{mark}#{{pane_tty}}");
        format!("{mark}{numbers} {mode} #{{pane_dead}} {cursor}{mark}{texts}{mark}#{{pane_current_path}}{mark}")
    }

    /// The line before a pane's screen. The number goes without its sign: `display-message` reads its text as a time's
    /// format, in which `%3` is a field of three columns and comes out with a blank before it.
    pub(super) fn of_screen(&self, id: &str) -> String {
        format!("{}{}", self.screen, number(id))
    }
}

/// The panes of a listing; what cannot be read is none. A pane in several sessions comes once.
pub(super) fn panes(said: &[u8], nonce: &Nonce) -> Vec<Pane> {
    let mut found: Vec<Pane> = Vec::new();
    let parts = split(said, nonce.field.as_bytes());
    // Before the first mark stands nothing, and between two panes the end of a line.
    for record in parts.get(1..).unwrap_or_default().chunks_exact(6) {
        if let Some(pane) = pane(record).filter(|new| found.iter().all(|old| old.identity.id != new.identity.id)) {
            found.push(pane);
        }
    }
    found
}

/// The panes with their screens, in the order in which they were asked for.
pub(super) fn sights(said: &[u8], nonce: &Nonce) -> Vec<Sight> {
    let parts = split(said, nonce.screen.as_bytes());
    let panes = panes(parts[0], nonce);
    let seen = parts[1..].iter().filter_map(|part| {
        let end = part.iter().position(|c| *c == b'\n')?;
        let pane = panes.iter().find(|pane| number(&pane.identity.id).as_bytes() == &part[..end])?.clone();
        Some(Sight { pane, capture: part[end + 1..].to_vec() })
    });
    seen.collect()
}

fn number(id: &str) -> &str {
    id.trim_start_matches('%')
}

fn pane(record: &[&[u8]]) -> Option<Pane> {
    let [numbers, session, command, tty, cwd, _] = record else { return None };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let numbers = std::str::from_utf8(numbers).ok()?;
    let mut numbers = numbers.split(' ');
    let (id, server) = (numbers.next()?.to_owned(), numbers.next()?.to_owned());
    let mut number = || numbers.next()?.parse::<u32>().ok();
    let (pid, cols, rows) = (number()?, number()?, number()?);
    let (in_mode, dead) = (number()? != 0, number()? != 0);
    Some(Pane {
        identity: PaneIdentity { server, id, pid, command: text(command), cols, rows },
        session: text(session),
        cwd: PathBuf::from(OsString::from_vec(cwd.to_vec())),
        in_mode,
        dead,
        tty: text(tty),
        cursor: (number()?, number()?),
    })
}

/// Splits bytes at each `mark`.
fn split<'a>(mut bytes: &'a [u8], mark: &[u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while let Some(at) = bytes.windows(mark.len()).position(|window| window == mark) {
        parts.push(&bytes[..at]);
        bytes = &bytes[at + mark.len()..];
    }
    parts.push(bytes);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "fab";

    fn marks() -> Nonce {
        Nonce { field: MARK.into(), screen: "sab".into() }
    }

    fn line(id: u32, cwd: &str) -> String {
        format!("{MARK}%{id} 9:1700 4{id} 80 24 0 0 5 6{MARK}main{MARK}node{MARK}/dev/pts/{id}{MARK}{cwd}{MARK}\n")
    }

    #[test]
    fn a_listing_is_read_whatever_a_folder_is_called() {
        let said = line(1, "/srv/a\n%7 9:1700 1 1 1 0 0") + &line(2, "") + &line(1, "/other");
        let found = panes(said.as_bytes(), &marks());
        let ids: Vec<&str> = found.iter().map(|pane| pane.identity.id.as_str()).collect();
        assert_eq!(ids, ["%1", "%2"]);
        assert_eq!(found[0].cwd, PathBuf::from("/srv/a\n%7 9:1700 1 1 1 0 0"));
        let identity = PaneIdentity {
            server: "9:1700".into(),
            id: "%1".into(),
            pid: 41,
            command: "node".into(),
            cols: 80,
            rows: 24,
        };
        assert_eq!(found[0].identity, identity);
        assert!(!found[0].in_mode && !found[0].dead);
        assert_eq!(found[0].cursor, (5, 6));
    }

    #[test]
    fn screens_follow_their_marks() {
        let said = format!("{}{}sab2\nrow %1\nlast\nsab1\n\u{1b}[1mx\n", line(1, "/a"), line(2, "/b"));
        let found = sights(said.as_bytes(), &marks());
        let seen: Vec<(&str, &[u8])> =
            found.iter().map(|sight| (sight.pane.identity.id.as_str(), sight.capture.as_slice())).collect();
        assert_eq!(seen, [("%2", b"row %1\nlast\n".as_slice()), ("%1", b"\x1b[1mx\n".as_slice())]);
        assert!(sights(b"", &marks()).is_empty());
    }
}
