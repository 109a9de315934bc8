//! The command line as somebody types it, off the service's threads.

use std::ffi::OsStr;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::app::TestApp;
use super::cast::{ADMIN, PASSWORD};
use super::scratch;

/// What a command said, and how it ended.
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    /// The answer, after the command went well.
    pub fn json(&self) -> Value {
        serde_json::from_str(self.good()).unwrap()
    }

    /// What it said, after it went well.
    pub fn good(&self) -> &str {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        &self.out
    }
}

/// Runs `countersign` with these words, `input` on its standard input, and these variables.
pub fn run_with(words: impl IntoIterator<Item = impl AsRef<OsStr>>, input: &str, env: &[(&str, &OsStr)]) -> Said {
    let mut child = scratch::program(env!("CARGO_BIN_EXE_countersign"))
        .args(words)
        .env_remove("COUNTERSIGN_DATA")
        .env_remove("COUNTERSIGN_PASSWORD_FILE")
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who refuses before reading leaves a closed pipe; that is no fault.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let done = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: done.status.code().unwrap(), out: text(done.stdout), err: text(done.stderr) }
}

/// The same with nothing but the words.
pub fn run(words: impl IntoIterator<Item = impl AsRef<OsStr>>, input: &str) -> Said {
    run_with(words, input, &[])
}

impl TestApp {
    /// Types a line at the machine; words with spaces are not needed.
    pub async fn type_in(&self, line: &str, input: &str, env: &[(&'static str, &OsStr)]) -> Said {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let folder = self.folder.display().to_string();
        let mut words = words;
        // Before `--`, behind which everything is a command's own.
        let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(at..at, ["--data-dir".to_owned(), folder]);
        let input = input.to_owned();
        let env: Vec<_> = env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        tokio::task::spawn_blocking(move || {
            let env: Vec<_> = env.iter().map(|(name, value)| (*name, value.as_os_str())).collect();
            run_with(words, &input, &env)
        })
        .await
        .unwrap()
    }

    /// The same as the cast's admin, with the password on standard input.
    pub async fn as_admin(&self, line: &str) -> Said {
        self.as_admin_with(line, &[]).await
    }

    /// The same with variables.
    pub async fn as_admin_with(&self, line: &str, env: &[(&'static str, &OsStr)]) -> Said {
        let (own, rest) =
            line.split_once(" -- ").map_or((line, String::new()), |(own, rest)| (own, format!(" -- {rest}")));
        self.type_in(&format!("{own} --as {ADMIN} --password-stdin{rest}"), &format!("{PASSWORD}\n"), env).await
    }
}
