//! `countersign pg exec`: a command with the private cluster in its environment.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use super::binaries::Binaries;
use super::cluster::{self, Cluster};
use super::error::Error;
use super::postmaster_file::PostmasterFile;
use super::{DATABASE, Options, PORT, ROLE, create, process};

/// Runs `argv` with `DATABASE_URL` and the `PG…` variables set, the cluster's own programs first in `PATH`, and returns its exit code.
///
/// A running server's cluster is used as it is; without one the cluster runs for as long as the command does.
/// Blocks. The caller should have a handler for SIGINT, which a terminal sends to both: an interrupted `psql` goes on.
pub fn exec(options: &Options, argv: &[OsString]) -> Result<i32, Error> {
    if argv.is_empty() {
        return Err(Error::NoCommand);
    }
    match Cluster::start(options) {
        Ok(cluster) => {
            let code = run(cluster.bin_dir(), cluster.socket_dir(), argv);
            cluster.stop();
            code
        }
        Err(Error::Held { dir, pid }) => {
            let files = dir.join("pg");
            let Some(running) = PostmasterFile::read(&files).filter(|file| file.is_alive(&files)) else {
                return Err(Error::NoCluster { dir, pid });
            };
            let made_by = create::made_by(&dir).and_then(|major| major.parse().ok());
            let binaries = Binaries::find(options.pg_bin.as_deref(), made_by)?;
            run(&binaries.dir, &running.socket_dir, argv)
        }
        Err(error) => Err(error),
    }
}

fn run(bin_dir: &Path, socket_dir: &Path, argv: &[OsString]) -> Result<i32, Error> {
    // The shell extends PATH, which is not ours to read.
    let status = process::inheriting("sh")
        .args(["-c", r#"PATH="$0:$PATH"; export PATH; exec "$@""#])
        .arg(bin_dir)
        .args(argv)
        .env("DATABASE_URL", cluster::url(socket_dir, DATABASE))
        .env("PGHOST", socket_dir)
        .env("PGPORT", PORT.to_string())
        .env("PGUSER", ROLE)
        .env("PGDATABASE", DATABASE)
        .status()
        .map_err(Error::io("run the command"))?;
    // A shell's convention for a command that a signal ended.
    Ok(status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1))
}
