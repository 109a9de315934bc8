//! The thread that owns the postmaster: its parent for as long as it lives, and who starts it again when it dies.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::account::Account;
use super::error::Error;
use crate::parent_death;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A postmaster that ran this long was well: the next pause is short again.
const HEALTHY: Duration = Duration::from_mins(1);

/// How long a fast shutdown may take before it becomes an immediate one, which the next start recovers from.
const FAST_STOP: Duration = Duration::from_secs(30);

/// All that starts one postmaster.
pub(super) struct Launch {
    pub(super) account: Account,
    pub(super) program: PathBuf,
    pub(super) cluster: PathBuf,
    pub(super) conf: PathBuf,
}

impl Launch {
    /// What Postgres says before its own log opens.
    pub(super) fn startup_log(&self) -> PathBuf {
        self.conf.join("startup.log")
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let log: File =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(self.startup_log())?;
        let mut command = self.account.command(&self.program);
        command
            .arg("-D")
            .arg(&self.cluster)
            .arg("-c")
            .arg(format!("config_file={}", self.conf.join("postgresql.conf").display()))
            .stdout(log.try_clone()?)
            .stderr(log)
            // Ctrl-C at the terminal is for us: Postgres is stopped last, by us.
            .process_group(0);
        // SIGINT is Postgres' fast shutdown. Where no signal comes, the next start stops what it finds running.
        parent_death::signal_with_parent(&mut command, Signal::INT);
        command.spawn()
    }
}

/// Runs the thread; stops the postmaster when told to, or when dropped.
pub(super) struct Supervisor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Set while the process exists, so a signal can never hit a number that was given to another.
    postmaster: Option<Pid>,
    stopping: bool,
    exits: u32,
}

impl Supervisor {
    pub(super) fn start(launch: Launch) -> Result<Self, Error> {
        let shared = Arc::new(Shared::default());
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || for_thread.keep_running(&launch))
            .map_err(Error::io("start the thread that runs Postgres"))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// The running postmaster's pid.
    pub(super) fn postmaster(&self) -> Option<u32> {
        let pid = self.shared.lock().postmaster?;
        u32::try_from(pid.as_raw_nonzero().get()).ok()
    }

    /// How many postmasters have ended without being told to.
    pub(super) fn exits(&self) -> u32 {
        self.shared.lock().exits
    }

    /// Fast shutdown: open transactions are rolled back, all that was committed is written.
    pub(super) fn stop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        self.shared.stop();
        if thread.join().is_err() {
            tracing::error!("the thread that ran Postgres had panicked");
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep_running(&self, launch: &Launch) {
        let mut pause = FIRST_PAUSE;
        loop {
            let began = Instant::now();
            let Some(ended) = self.run_once(launch) else {
                return;
            };
            if began.elapsed() > HEALTHY {
                pause = FIRST_PAUSE;
            }
            tracing::warn!(ended, pause_ms = pause.as_millis(), "Postgres is gone; starting it again");
            if !self.rest(pause) {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// One postmaster's life; `None` once it is not wanted any more.
    fn run_once(&self, launch: &Launch) -> Option<String> {
        let ended = match self.spawn(launch)? {
            Ok(child) => self.outlive(child),
            Err(error) => Err(error),
        };
        let mut state = self.lock();
        state.postmaster = None;
        state.exits += 1;
        self.changed.notify_all();
        (!state.stopping).then(|| match ended {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        })
    }

    fn spawn(&self, launch: &Launch) -> Option<std::io::Result<Child>> {
        let mut state = self.lock();
        if state.stopping {
            return None;
        }
        let child = launch.spawn();
        state.postmaster = child.as_ref().ok().map(Pid::from_child);
        Some(child)
    }

    /// Waits without reaping first: until the lock is held the pid must stay taken, for `stop` may be about to signal it.
    fn outlive(&self, mut child: Child) -> std::io::Result<ExitStatus> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(Pid::from_child(&child)), options) {}
        let mut state = self.lock();
        state.postmaster = None;
        child.wait()
    }

    /// Sleeps unless stopped; whether to go on.
    fn rest(&self, pause: Duration) -> bool {
        let state = self.lock();
        let (state, _) = self
            .changed
            .wait_timeout_while(state, pause, |state| !state.stopping)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopping
    }

    fn stop(&self) {
        let mut state = self.lock();
        state.stopping = true;
        self.changed.notify_all();
        for signal in [Signal::INT, Signal::QUIT] {
            if let Some(Err(error)) = state.postmaster.map(|pid| kill_process(pid, signal)) {
                tracing::warn!(%error, "cannot signal Postgres");
            }
            (state, _) = self
                .changed
                .wait_timeout_while(state, FAST_STOP, |state| state.postmaster.is_some())
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
