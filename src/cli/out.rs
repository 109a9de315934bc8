//! Standard output, whose reader may leave early: `countersign audit list | head`.

use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Prints a line. Who has read enough ends the command, without a word.
pub fn line(text: impl Display) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = writeln!(out, "{text}").and_then(|()| out.flush()) {
        let code = i32::from(error.kind() != ErrorKind::BrokenPipe);
        std::process::exit(code);
    }
}
