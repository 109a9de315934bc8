//! The flags of every command that talks to the running server, and what follows from them.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::failure::{Failure, Outcome};
use super::out;
use super::secret::Stdin;
use super::socket::{Call, Socket};
use crate::config::{default_data_dir, password_file};

/// How to reach the server, and as whom.
#[derive(Debug, Args)]
pub struct Reach {
    /// The server's data folder [default: the platform's data folder].
    #[arg(long, value_name = "DIR", env = "COUNTERSIGN_DATA", global = true)]
    data_dir: Option<PathBuf>,
    /// Prints the server's answer as JSON.
    #[arg(long, global = true)]
    pub json: bool,
    /// The admin who makes this change [default: asked on the terminal].
    #[arg(long = "as", value_name = "NAME", global = true)]
    admin: Option<String>,
    /// Reads that admin's password from the first line of standard input (or from the file in `COUNTERSIGN_PASSWORD_FILE`).
    #[arg(long, global = true, requires = "admin")]
    password_stdin: bool,
    #[arg(skip)]
    stdin: Stdin,
}

impl Reach {
    /// The server's data folder.
    pub fn dir(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(default_data_dir)
    }

    /// The server's socket.
    pub fn socket(&self) -> Socket {
        Socket::in_dir(self.dir())
    }

    /// Reads something, without a password.
    pub async fn get(&self, path: &str) -> Outcome<Value> {
        self.socket().ask(Call::get(path)).await
    }

    /// Changes something, as an admin.
    pub async fn change(&mut self, call: Call) -> Outcome<Value> {
        let socket = self.socket();
        // Before anything is asked on the terminal: is there a server at all?
        socket.connect().await.map(drop)?;
        let (name, password) = self.admin()?;
        socket.ask(call.signed(&name, &password)).await
    }

    /// Name and password of the admin who makes a change.
    pub fn admin(&mut self) -> Outcome<(String, String)> {
        let name = match self.admin.clone() {
            Some(name) => name,
            None => self.stdin.ask_line("Admin: ")?,
        };
        let password = if self.password_stdin {
            self.stdin.line("the admin's password")?
        } else if let Some(file) = password_file() {
            let text = std::fs::read_to_string(&file)
                .map_err(|error| Failure::failed(format!("cannot read {}: {error}", file.display())))?;
            text.lines().next().unwrap_or_default().to_owned()
        } else {
            self.stdin.ask_hidden(&format!("Password of {name}: "))?
        };
        Ok((name, password))
    }

    /// The new password for somebody: from the next line of standard input, or asked twice on the terminal.
    pub fn new_password(&mut self, user: &str, from_stdin: bool) -> Outcome<String> {
        if from_stdin {
            return self.stdin.line("the new password");
        }
        let first = self.stdin.ask_hidden(&format!("New password for {user}: "))?;
        if first != self.stdin.ask_hidden("The same again: ")? {
            return Err(Failure::failed("the two are not the same; nothing was changed"));
        }
        Ok(first)
    }

    /// A secret that is none of ours: from the next line of standard input, or asked on the terminal.
    pub fn secret(&mut self, what: &str) -> Outcome<String> {
        if self.password_stdin { self.stdin.line(what) } else { self.stdin.ask_hidden(&format!("{what}: ")) }
    }

    /// Prints an answer: as it is with `--json`, else in these words.
    pub fn say(&self, answer: &Value, words: impl FnOnce(&Value) -> String) {
        out::line(if self.json { answer.to_string() } else { words(answer) });
    }
}
