//! The real program as a process of its own, for what only a process shows: kill -9, restarts, signals, its output.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sqlx::PgConnection;

use super::client::Client;
use super::{cluster, scratch};

/// Longer than any start or stop may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A `countersign serve`; killed when dropped.
pub struct Server {
    child: Child,
    /// The address of its `ready` line.
    pub url: String,
    /// Its data folder, as this process sees it.
    pub folder: PathBuf,
    log: PathBuf,
}

/// How a server that did not start has ended.
#[derive(Debug)]
pub struct Refusal {
    pub code: Option<i32>,
    pub said: String,
}

/// The program with these arguments, and nothing of this process' own settings.
pub fn countersign(arguments: &[&str]) -> Command {
    let mut command = scratch::program(env!("CARGO_BIN_EXE_countersign"));
    for name in ["DATABASE_URL", "COUNTERSIGN_DATA", "COUNTERSIGN_LOG", "COUNTERSIGN_PASSWORD_FILE"] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null());
    command
}

/// `serve` for a data folder, at any free port.
pub fn serve(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = countersign(&["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    command.arg(folder).args(arguments);
    command
}

fn log_of(folder: &Path) -> PathBuf {
    folder.with_extension("log")
}

impl Server {
    /// Starts it and waits for its `ready` line; its log is added to a file beside the data.
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::launch(serve(folder, arguments), folder).unwrap_or_else(|refusal| panic!("it did not start: {refusal:?}"))
    }

    /// Tries to start one that will refuse.
    pub fn refused(folder: &Path, arguments: &[&str]) -> Refusal {
        let started = Self::launch(serve(folder, arguments), folder);
        started.err().expect("it should have refused to start")
    }

    /// Runs a command that becomes a server.
    pub fn launch(command: Command, folder: &Path) -> Result<Self, Refusal> {
        let before = std::fs::metadata(log_of(folder)).map_or(0, |log| log.len());
        let (mut server, ready) = Self::begin(command, folder);
        if let Ok(url) = ready.recv_timeout(PATIENCE) {
            server.url = url;
            return Ok(server);
        }
        let code = server.wait().code();
        let said = server.log().split_off(usize::try_from(before).unwrap());
        Err(Refusal { code, said })
    }

    /// The same without waiting: it has no address yet, which the receiver gets.
    pub fn begin(mut command: Command, folder: &Path) -> (Self, mpsc::Receiver<String>) {
        let log = log_of(folder);
        let file = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(file).spawn().unwrap();
        scratch::stop_at_exit("TERM", child.id());
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (ready, heard) = mpsc::channel();
        // Reads on to the end: a full pipe would stop the server.
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(url) = line.strip_prefix("ready ") {
                    drop(ready.send(url.to_owned()));
                }
            }
        });
        (Self { child, url: String::new(), folder: folder.to_owned(), log }, heard)
    }

    /// Its pid.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Somebody on the network without any credential.
    pub fn anonymous(&self) -> Client {
        Client::tcp(&self.url)
    }

    /// Somebody at the machine without any credential.
    pub fn local(&self) -> Client {
        Client::unix(&self.folder.join("run/countersign.sock"))
    }

    /// A connection to its private Postgres.
    pub async fn database(&self) -> PgConnection {
        cluster::connect(&self.database_url()).await
    }

    /// The address of its private Postgres.
    pub fn database_url(&self) -> String {
        let host = self.folder.join("pg-run");
        format!("postgres:///countersign?host={}&port=5432&user=countersign", host.display())
    }

    /// The postmaster of its private Postgres, as its file names it; none while there is none.
    pub fn postmaster(&self) -> Option<u32> {
        let text = std::fs::read_to_string(self.folder.join("pg/postmaster.pid")).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// All that the servers of this folder have logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// kill -9, and its end.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.wait();
    }

    /// Asks it to end.
    pub fn ask_to_stop(&self) {
        signal(self.pid(), Signal::TERM);
    }

    /// Waits until it has ended by itself.
    pub fn ended(mut self) -> ExitStatus {
        self.wait()
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(self) -> ExitStatus {
        self.ask_to_stop();
        self.ended()
    }

    fn wait(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                scratch::gone(self.child.id());
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end; {}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone is what is wanted.
        drop(self.child.kill());
        drop(self.child.wait());
        if std::thread::panicking() {
            eprintln!("the server's log:\n{}", self.log());
        }
        scratch::gone(self.child.id());
    }
}

/// Sends a signal to one process.
pub fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}
