//! `countersign detect`: a screen on standard input, what it means as JSON; no server is needed.

use std::io::Read;

use clap::Args;

use super::failure::{Failure, Outcome};
use super::out;
use crate::domain::screen::{self, AgentKind};
use crate::pane::frame::{self, Size};

/// More than the largest pane with every cell in a colour of its own.
const MOST_BYTES: u64 = 8 << 20;

/// What `detect` takes.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  tmux capture-pane -p -e -t %3 | countersign detect --agent claude --cols 120 --rows 40"
)]
pub struct DetectArgs {
    /// The program in the pane.
    #[arg(long, value_name = "KIND", value_parser = AgentKind::parse)]
    agent: AgentKind,
    /// The pane's columns, by default those of the widest row.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    cols: Option<u16>,
    /// The pane's rows; without them nothing is taken to have left the screen at its top.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rows: Option<u16>,
}

/// Reads the screen and prints its reading.
pub fn run(args: &DetectArgs) -> Outcome {
    let mut capture = Vec::new();
    std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut capture)?;
    if capture.len() as u64 > MOST_BYTES {
        return Err(Failure::usage("the screen on standard input is larger than 8 MiB; capture the visible pane only"));
    }
    let size = Size { cols: args.cols, rows: args.rows };
    let reading = screen::read(args.agent, &frame::screen(&capture, size));
    out::line(serde_json::to_string_pretty(&reading)?);
    Ok(())
}
