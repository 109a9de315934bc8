//! `countersign pg exec`: a command with the private Postgres in its environment.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::failure::{Failure, Outcome};
use crate::config::default_data_dir;
use crate::pg::{self, Options};

/// The noun.
#[derive(Debug, Args)]
pub struct PgArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Runs a command with `DATABASE_URL` and the `PG…` variables set, e.g. `countersign pg exec -- psql`; its exit code
    /// is passed on.
    Exec {
        /// The data folder [default: the platform's data folder].
        #[arg(long, value_name = "DIR", env = "COUNTERSIGN_DATA")]
        data_dir: Option<PathBuf>,
        /// The folder with the Postgres programs [default: the newest installed].
        #[arg(long, value_name = "DIR")]
        pg_bin: Option<PathBuf>,
        /// The command and its arguments, after `--`.
        #[arg(required = true, last = true, value_name = "CMD")]
        command: Vec<OsString>,
    },
}

/// Runs it; the command's exit code becomes ours.
pub fn run(args: PgArgs) -> Outcome {
    let What::Exec { data_dir, pg_bin, command } = args.what;
    let options = Options { data_dir: data_dir.unwrap_or_else(default_data_dir), pg_bin };
    if !options.data_dir.join("pg/PG_VERSION").exists() {
        // A backup of the wrong folder would succeed, and be of nothing.
        eprintln!(
            "countersign: there was no private Postgres in {}; a new, empty one is made there. \
             If you meant a server's, name its folder with --data-dir or COUNTERSIGN_DATA.",
            options.data_dir.display()
        );
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(async {
        // A terminal sends SIGINT to both; an interrupted psql goes on, and so must we.
        let _interrupts = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
        let exec = tokio::task::spawn_blocking(move || pg::exec(&options, &command));
        let code = exec.await.map_err(|error| Failure::failed(error.to_string()))??;
        Ok::<_, Failure>(code)
    })?;
    if code == 0 {
        return Ok(());
    }
    let code = u8::try_from(code).unwrap_or(1);
    Err(Failure { code, text: format!("the command ended with code {code}") })
}
