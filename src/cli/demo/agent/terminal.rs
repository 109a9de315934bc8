//! The terminal in raw mode, given back as it was however the program ends.

use std::io::{Write, stdin, stdout};

use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::super::super::failure::{Failure, Outcome};

/// Asks for pastes in brackets, and hides the cursor: a block is drawn in its place.
const ENTER: &str = "\x1b[?2004h\x1b[?25l";
const LEAVE: &str = "\x1b[?2004l\x1b[?25h";

/// Smaller panes are drawn as if they were of this size.
const SMALLEST: (usize, usize) = (20, 6);

/// The terminal of this process.
pub(super) struct Terminal {
    before: Termios,
}

impl Terminal {
    /// Takes the terminal over.
    pub(super) fn enter() -> Outcome<Self> {
        if !isatty(stdin()) || !isatty(stdout()) {
            return Err(Failure::usage("the simulated agent draws on a terminal; run it in a tmux pane"));
        }
        let before = tcgetattr(stdin()).map_err(std::io::Error::from)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw).map_err(std::io::Error::from)?;
        let terminal = Self { before };
        terminal.send(ENTER)?;
        Ok(terminal)
    }

    /// Columns and rows.
    #[expect(clippy::unused_self, reason = "only who holds the terminal may go by its size")]
    pub(super) fn size(&self) -> (usize, usize) {
        let size = tcgetwinsize(stdout()).map(|size| (usize::from(size.ws_col), usize::from(size.ws_row)));
        let (cols, rows) = size.unwrap_or(SMALLEST);
        (cols.max(SMALLEST.0), rows.max(SMALLEST.1))
    }

    /// Writes to it, in one piece.
    #[expect(clippy::unused_self, reason = "only who holds the terminal may write escape sequences")]
    pub(super) fn send(&self, text: &str) -> Outcome {
        let mut out = stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The terminal may have gone; there is nothing to give back then.
        drop(self.send(LEAVE));
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// What is typed, read on a thread of its own: a terminal cannot be waited for otherwise. It ends with the process.
pub(super) fn typed() -> UnboundedReceiver<Vec<u8>> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        loop {
            match rustix::io::read(stdin(), &mut bytes) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(0) | Err(_) => return,
                Ok(n) if sender.send(bytes[..n].to_vec()).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    receiver
}
