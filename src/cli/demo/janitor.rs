//! Who stops the demo's programs and removes its folder. A process of its own, so that it happens also when the demo is killed.

use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::stage::PREFIX;
use crate::cli::failure::{Failure, Outcome};

/// What the janitor takes.
#[derive(Debug, Args)]
pub(super) struct JanitorArgs {
    /// The demo's folder.
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,
}

/// How long a program may take to stop: longer than a server gives its last requests.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(20);

/// Reads `+PID` and `-PID`, started and gone, and `/FILE`, left over, until whoever says so has ended; then the last started
/// is stopped first.
pub(super) fn run(args: &JanitorArgs) -> Outcome {
    let named = args.folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    if !named {
        return Err(Failure::usage(format!("{} is no demo's folder", args.folder.display())));
    }
    let mut running: Vec<Pid> = Vec::new();
    let mut left_over: Vec<PathBuf> = Vec::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let pid = line.get(1..).and_then(|pid| pid.parse().ok()).and_then(Pid::from_raw);
        match pid {
            Some(pid) if line.starts_with('+') => running.push(pid),
            Some(pid) => running.retain(|other| *other != pid),
            None if line.starts_with('/') => left_over.push(line.into()),
            None => {}
        }
    }
    for pid in running.into_iter().rev() {
        stop(pid);
    }
    for file in left_over {
        // tmux may have done it.
        drop(std::fs::remove_file(file));
    }
    Ok(std::fs::remove_dir_all(&args.folder)?)
}

fn stop(pid: Pid) {
    // Gone already is what is wanted.
    let _ = kill_process(pid, Signal::TERM);
    let began = Instant::now();
    while !is_gone(pid) {
        if began.elapsed() > PATIENCE {
            let _ = kill_process(pid, Signal::KILL);
            return;
        }
        std::thread::sleep(LOOK);
    }
}

/// Ended, also when nobody has asked yet how: once the demo was killed, that is up to the system, which takes its time.
fn is_gone(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    test_kill_process(pid) == Err(Errno::SRCH) || matches!(state, Some('Z' | 'X'))
}
