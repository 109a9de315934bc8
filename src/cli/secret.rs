//! Passwords from the terminal or from standard input; never from flags, which every process can read.

use std::io::{BufRead, IsTerminal, Write};

use super::failure::{Failure, Outcome};

/// Standard input, read a line at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stdin;

impl Stdin {
    /// The next line.
    pub fn line(self, what: &str) -> Outcome<String> {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return Err(Failure::usage(format!("standard input has no line with {what}")));
        }
        Ok(line.to_owned())
    }

    /// Asks on the terminal, and shows what is typed.
    pub fn ask_line(self, prompt: &str) -> Outcome<String> {
        Self::need_terminal()?;
        let mut out = std::io::stderr().lock();
        write!(out, "{prompt}").and_then(|()| out.flush())?;
        self.line("a name")
    }

    /// Asks on the terminal, and shows nothing.
    pub fn ask_hidden(self, prompt: &str) -> Outcome<String> {
        Self::need_terminal()?;
        rpassword::prompt_password(prompt).map_err(|error| Failure::failed(format!("cannot ask for it: {error}")))
    }

    fn need_terminal() -> Outcome {
        if std::io::stdin().is_terminal() {
            return Ok(());
        }
        Err(Failure::usage(
            "there is no terminal to ask on: give --as NAME --password-stdin (or COUNTERSIGN_PASSWORD_FILE), \
             and --new-password-stdin for a new password",
        ))
    }
}
