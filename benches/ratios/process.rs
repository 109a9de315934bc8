//! Processes beside the bench: started, a server awaited by its `ready` line, stopped by their pid.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Res;

/// How long a process may take to stop before it is killed.
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that goes on until it is stopped; dropping it stops it.
pub(crate) struct Running(Child);

/// A running server; dropping it stops it.
pub(crate) struct Process {
    running: Running,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

/// A command that the bench runs.
#[expect(clippy::disallowed_methods, reason = "the bench starts servers and pgbench; the rule is for the product")]
pub(crate) fn program(path: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(path)
}

impl Running {
    /// Starts it. Its log goes to `log`.
    pub(crate) fn start(mut command: Command, log: &Path) -> Res<Self> {
        Ok(Self(command.stdin(Stdio::null()).stderr(File::create(log)?).spawn()?))
    }

    /// Its pid.
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    fn stop(&mut self) -> Res<()> {
        if self.0.try_wait()?.is_some() {
            return Ok(());
        }
        if let Some(pid) = i32::try_from(self.pid()).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM)?;
        }
        let began = Instant::now();
        while self.0.try_wait()?.is_none() {
            if began.elapsed() > PATIENCE {
                self.0.kill()?;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(error) = self.stop() {
            eprintln!("bench: a process was not stopped: {error}");
        }
    }
}

impl Process {
    /// Starts it and waits for `ready http://ADDRESS` on its standard output. Its log goes to `log`.
    pub(crate) fn start(mut command: Command, log: &Path) -> Res<Self> {
        command.stdout(Stdio::piped());
        let mut running = Running::start(command, log)?;
        let out = running.0.stdout.take().ok_or("no standard output")?;
        for line in BufReader::new(out).lines() {
            if let Some(address) = line?.strip_prefix("ready http://") {
                return Ok(Self { address: address.parse()?, running });
            }
        }
        running.0.wait()?;
        Err(format!("a server did not start: {}", std::fs::read_to_string(log)?).into())
    }

    /// Its pid.
    pub(crate) fn pid(&self) -> u32 {
        self.running.pid()
    }
}
