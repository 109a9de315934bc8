//! `countersign classify`: dialogs as JSON lines in, judgements as JSON lines out; no server, no database.

mod explain;
mod input;
mod policy;

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use self::input::BadLine;
use super::failure::{Failure, Outcome};
use super::out::visible;
use crate::domain::class::Class;
use crate::domain::dialog::DialogOption;
use crate::domain::verdict::{Judgement, PolicySource, Reason, Verdict};

/// Bytes read and written at once.
const BUFFER: usize = 1 << 20;

const EXAMPLE: &str = r#"One dialog a line:
  {"id": 1, "dialog": {"title": "Bash command", "question": "Do you want to proceed?", "command": "cargo test",
   "options": ["Yes", "No"]}, "cwd": "/srv/shop", "repo_root": "/srv/shop", "worktree": "/srv/shop"}

Optional: "fs" (symlinks, unresolved, missing, git_config_exec_keys, bare_repo, shadow_modules, case_insensitive,
root_real) for what is odd about the disk, "policy" (enabled, lane_enabled, classes, lane, network_hosts, rules, or just
classes) over the shipped policy with both switches on. A line that cannot be read gets an error line; the exit code is
then 1."#;

/// Judges dialogs as the server would.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct ClassifyArgs {
    /// Explain one dialog in words.
    #[arg(long)]
    explain: bool,
    /// The file to read; standard input when missing.
    file: Option<PathBuf>,
}

/// Runs it.
pub fn run(args: &ClassifyArgs) -> Outcome {
    let input: Box<dyn Read> = match &args.file {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
            Box::new(file)
        }
        None => Box::new(std::io::stdin().lock()),
    };
    if args.explain {
        return explain::run(input);
    }
    let mut output = BufWriter::with_capacity(BUFFER, std::io::stdout().lock());
    match stream(BufReader::with_capacity(BUFFER, input), &mut output).and_then(|bad| output.flush().map(|()| bad)) {
        Ok(0) => Ok(()),
        Ok(1) => Err(Failure::failed("one line could not be read; its error is on its own line")),
        Ok(bad) => Err(Failure::failed(format!("{bad} lines could not be read; their errors are on their own lines"))),
        // Whoever reads it has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Judges line by line and returns how many could not be read.
pub fn stream(mut input: impl BufRead, output: &mut impl Write) -> std::io::Result<usize> {
    let (mut line, mut written, mut bad) = (Vec::new(), Vec::new(), 0);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(bad);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        written.clear();
        match input::parse(&line).and_then(|line| {
            let judgement = line.judge()?;
            Ok(serde_json::to_writer(&mut written, &Judged::of(line.id, &judgement))?)
        }) {
            Ok(()) => {}
            Err(error) => {
                bad += 1;
                written.clear();
                serde_json::to_writer(&mut written, &error.at(input::id_of(&line)))?;
            }
        }
        written.push(b'\n');
        write(output, &written)?;
    }
}

/// JSON escapes what a terminal obeys in ASCII; the rest is spelled out here.
fn write(output: &mut impl Write, line: &[u8]) -> std::io::Result<()> {
    match std::str::from_utf8(line) {
        Ok(text) if !text.is_ascii() => output.write_all(visible(text).as_bytes()),
        _ => output.write_all(line),
    }
}

/// One judged line.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    class: Class,
    repo_scoped: bool,
    verdict: Verdict,
    veto: bool,
    policy_source: PolicySource,
    option: Option<Row<'a>>,
    reasons: &'a [Reason],
}

#[derive(Serialize)]
struct Row<'a> {
    n: u32,
    text: &'a str,
}

impl<'a> Judged<'a> {
    fn of(id: Option<&'a RawValue>, judgement: &'a Judgement) -> Self {
        Self {
            id,
            class: judgement.class,
            repo_scoped: judgement.repo_scoped,
            verdict: judgement.verdict(),
            veto: judgement.veto,
            policy_source: judgement.policy_source,
            option: pressed(judgement).map(|row| Row { n: row.n, text: &row.text }),
            reasons: &judgement.reasons,
        }
    }
}

/// The row that is pressed, or would be if a person agreed.
fn pressed(judgement: &Judgement) -> Option<&DialogOption> {
    judgement.answer.row().or(judgement.approve.as_ref())
}

/// A line that could not be read.
#[derive(Serialize)]
struct Refused<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    error: &'a BadLine,
}

impl BadLine {
    const fn at(&self, id: Option<Box<RawValue>>) -> Refused<'_> {
        Refused { id, error: self }
    }
}

#[cfg(test)]
mod tests;
