//! The running cluster, from claiming DIR to the fast stop.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::account::Account;
use super::binaries::Binaries;
use super::data_dir::DataDir;
use super::error::Error;
use super::supervisor::{Launch, Supervisor};
use super::wire::{Answer, Connection};
use super::{DATABASE, Options, PORT, ROLE, create, postmaster_file, process, settings, socket};

/// A postmaster that is alive but does not open its socket within this time never will.
const SILENT: Duration = Duration::from_mins(1);

/// How long the processes of a killed postmaster may keep its memory; each ends with its current statement.
const LINGERING: Duration = Duration::from_secs(15);

/// The private Postgres, ours until it is stopped or dropped. If the postmaster dies it is started again.
pub struct Cluster {
    // Before `dir`, so that the lock outlives the postmaster.
    supervisor: Supervisor,
    socket_dir: PathBuf,
    binaries: Binaries,
    startup_log: PathBuf,
    dir: DataDir,
}

impl Cluster {
    /// Claims DIR, makes the cluster when it is missing, starts it and waits until it answers. Blocks.
    pub fn start(options: &Options) -> Result<Self, Error> {
        let dir = DataDir::claim(&options.data_dir)?;
        Self::start_in(dir, options.pg_bin.as_deref())
    }

    /// The same for a DIR that is already ours.
    pub fn start_in(dir: DataDir, pg_bin: Option<&Path>) -> Result<Self, Error> {
        let began = Instant::now();
        let account = Account::current()?;
        if let Some(ancestor) = account.stopped_at(dir.path()) {
            let dir = dir.path().to_path_buf();
            return Err(Error::Untraversable { dir, ancestor, account: account.name });
        }
        let made_by = create::made_by(dir.path()).and_then(|major| major.parse().ok());
        let binaries = Binaries::find(pg_bin, made_by)?;
        postmaster_file::stop_orphan(&dir.cluster());
        create::ensure(&dir, &account, &binaries)?;
        let socket_dir = socket::make_folder(&dir, &account)?;
        settings::write(&dir, &account, &socket_dir)?;
        let program = binaries.program("postgres");
        let launch = Launch { account, program, cluster: dir.cluster(), conf: dir.conf() };
        let startup_log = launch.startup_log();
        let supervisor = Supervisor::start(launch)?;
        let cluster = Self { supervisor, socket_dir, binaries, startup_log, dir };
        cluster.await_ready()?;
        tracing::info!(
            binaries = %cluster.binaries.dir.display(),
            data = %cluster.dir.cluster().display(),
            socket = %cluster.socket_dir.display(),
            ready_ms = began.elapsed().as_millis(),
            "the private Postgres is ready"
        );
        Ok(cluster)
    }

    /// How to connect to one of its databases, for sqlx and for libpq (`psql`, `pg_dump`, `pgbench`).
    pub fn url(&self, database: &str) -> String {
        url(&self.socket_dir, database)
    }

    /// The folder of the Postgres programs in use.
    pub fn bin_dir(&self) -> &Path {
        &self.binaries.dir
    }

    /// The folder of its socket.
    pub fn socket_dir(&self) -> &Path {
        &self.socket_dir
    }

    /// The postmaster's pid; `None` between its death and its next start.
    pub fn postmaster_pid(&self) -> Option<u32> {
        self.supervisor.postmaster()
    }

    /// DIR.
    pub fn data_dir(&self) -> &DataDir {
        &self.dir
    }

    /// Fast shutdown; returns when the last process has ended. Dropping does the same.
    pub fn stop(mut self) {
        self.supervisor.stop();
    }

    /// Asks until the database answers, and makes it when it is the only thing missing.
    fn await_ready(&self) -> Result<(), Error> {
        let began = Instant::now();
        let mut heard = began;
        loop {
            match Connection::open(&self.socket_dir, DATABASE) {
                Ok((_, Answer::Ready)) => return Ok(()),
                Ok((_, Answer::Refused { code, .. })) if code == "3D000" => self.make_database()?,
                // Starting or recovering: however long that takes, it is at work.
                Ok((_, Answer::Refused { code, .. })) if code == "57P03" => heard = Instant::now(),
                Ok((_, Answer::Refused { text, .. })) => return Err(self.not_started(text)),
                Err(_) => self.still_hopeful(began, heard)?,
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Nobody listens: that is normal for a moment, or while the processes of a killed postmaster end.
    fn still_hopeful(&self, began: Instant, heard: Instant) -> Result<(), Error> {
        if self.supervisor.exits() > 0 {
            let text = std::fs::read_to_string(&self.startup_log).unwrap_or_default();
            let lingering = text.contains("shared memory block") || text.contains("lock file");
            // A new attempt has just emptied the file.
            let between = text.is_empty();
            if !(lingering || between) || began.elapsed() > LINGERING {
                return Err(self.not_started(process::last_lines(&text)));
            }
        }
        if heard.elapsed() > SILENT {
            return Err(self.not_started("it does not answer".to_owned()));
        }
        Ok(())
    }

    fn make_database(&self) -> Result<(), Error> {
        let (mut connection, answer) =
            Connection::open(&self.socket_dir, "postgres").map_err(Error::io("connect to the private Postgres"))?;
        if let Answer::Refused { text, .. } = answer {
            return Err(self.not_started(text));
        }
        let made = connection.run(&format!("create database {DATABASE}")).map_err(Error::io("make the database"))?;
        match made {
            Answer::Ready => Ok(()),
            Answer::Refused { text, .. } => Err(self.not_started(text)),
        }
    }

    fn not_started(&self, says: String) -> Error {
        Error::NotStarted { says, log: self.dir.cluster().join("log") }
    }
}

/// Percent signs for all that either parser could take for something else.
pub(super) fn url(socket_dir: &Path, database: &str) -> String {
    let host: String = socket_dir
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .map(|&byte| match byte {
            b'/' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("postgres:///{database}?host={host}&port={PORT}&user={ROLE}")
}
