//! What can keep the private Postgres from running, each as one line that says what to do.

use std::io;
use std::path::PathBuf;

/// Why there is no private cluster. The texts are for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing on this machine can run a cluster.
    #[error("no Postgres {oldest} or newer was found; install it with `{install}`, name its folder with --pg-bin, or use --database-url", oldest = super::OLDEST_MAJOR)]
    NoBinaries {
        /// The command for this system.
        install: String,
    },
    /// `--pg-bin` names a folder that will not do.
    #[error("--pg-bin {}: {why}", dir.display())]
    BadBinaries {
        /// The folder as given.
        dir: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Root must not run Postgres and there is no account to drop to.
    #[error(
        "root cannot run Postgres and there is no system user `postgres` to run it as; make one with `useradd --system postgres`, or start as another user"
    )]
    NoAccount,
    /// Another process owns DIR.
    #[error("{} is in use by process {pid}; stop that server first, or choose another --data-dir", dir.display())]
    Held {
        /// DIR.
        dir: PathBuf,
        /// The owner's pid as it wrote it down, `?` when it has not yet.
        pid: String,
    },
    /// DIR holds something else.
    #[error("{} is not empty and is no Countersign data folder; choose an empty or new one with --data-dir", dir.display())]
    NotOurs {
        /// DIR.
        dir: PathBuf,
    },
    /// The cluster's account cannot reach DIR.
    #[error("user `{account}` cannot enter {}, which {} is inside; allow it with `chmod a+x {}`, or choose a --data-dir elsewhere", ancestor.display(), dir.display(), ancestor.display())]
    Untraversable {
        /// DIR.
        dir: PathBuf,
        /// The first folder on the way that stops the account.
        ancestor: PathBuf,
        /// The account the cluster runs as.
        account: String,
    },
    /// DIR was made by another major version of Postgres.
    #[error(
        "{} was made by Postgres {found}, these are the binaries of {ours}; either name those of {found} with --pg-bin, or move the data: `countersign pg exec --pg-bin OLD -- pg_dumpall > all.sql` with the old ones, move {} away, `countersign pg exec -- psql -d postgres -f all.sql` with the new",
        dir.display(), dir.display()
    )]
    OtherMajor {
        /// The cluster's folder.
        dir: PathBuf,
        /// The major version that made it.
        found: String,
        /// The major version of the binaries.
        ours: u32,
    },
    /// A program of Postgres ended with a failure.
    #[error("{program} failed: {says}")]
    Failed {
        /// Its name.
        program: &'static str,
        /// The end of what it printed.
        says: String,
    },
    /// The postmaster does not come up.
    #[error("Postgres did not start: {says} (its log is in {})", log.display())]
    NotStarted {
        /// The end of what it printed.
        says: String,
        /// The folder of its log files.
        log: PathBuf,
    },
    /// `pg exec` found a server that runs no private cluster.
    #[error("{} is in use by process {pid}, which has no private Postgres running; use its --database-url instead", dir.display())]
    NoCluster {
        /// DIR.
        dir: PathBuf,
        /// The owner's pid.
        pid: String,
    },
    /// `pg exec` without a command.
    #[error("nothing to run: give a command after `--`")]
    NoCommand,
    /// The operating system refused.
    #[error("cannot {doing}: {source}")]
    Io {
        /// What was tried, with the path.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Error {
    /// The program's exit code for this: 3 when something must be installed, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoBinaries { .. } | Self::BadBinaries { .. } | Self::NoAccount => 3,
            Self::NoCommand => 2,
            _ => 1,
        }
    }

    /// Wraps what the system said with what was being done.
    pub(super) fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }
}
