//! Making a cluster that did not exist, and refusing one that other binaries made.

use std::fs::File;
use std::path::Path;

use super::account::Account;
use super::binaries::Binaries;
use super::data_dir::{DataDir, make_dir};
use super::error::Error;
use super::{ROLE, process};

/// The major version that made DIR's cluster; `None` when there is none yet.
pub(super) fn made_by(dir: &Path) -> Option<String> {
    let text = std::fs::read_to_string(dir.join("pg/PG_VERSION")).ok()?;
    Some(text.trim().to_owned())
}

/// Makes the cluster when it is missing. It gets its name last: a half-made one is never mistaken for a whole one.
pub(super) fn ensure(dir: &DataDir, account: &Account, binaries: &Binaries) -> Result<(), Error> {
    if let Some(found) = made_by(dir.path()) {
        if found == binaries.major.to_string() {
            return Ok(());
        }
        return Err(Error::OtherMajor { dir: dir.cluster(), found, ours: binaries.major });
    }
    let new = dir.path().join("pg.new");
    if new.exists() {
        std::fs::remove_dir_all(&new).map_err(Error::io(format!("clear {}", new.display())))?;
    }
    make_dir(&new)?;
    account.give(&new)?;
    initdb(&new, account, binaries)?;
    sync(&new)?;
    std::fs::rename(&new, dir.cluster()).map_err(Error::io(format!("name the new cluster {}", dir.cluster().display())))
}

fn initdb(new: &Path, account: &Account, binaries: &Binaries) -> Result<(), Error> {
    let mut command = account.command(binaries.program("initdb"));
    command
        .args(["--no-sync", "--no-instructions", "--data-checksums"])
        .args(["--encoding=UTF8", "--no-locale", "--auth=peer"])
        .arg(format!("--username={ROLE}"))
        .arg("-D")
        .arg(new);
    process::run("initdb", &mut command)
}

/// One call for the whole file system instead of initdb's thousand for its files.
#[cfg(target_os = "linux")]
fn sync(new: &Path) -> Result<(), Error> {
    let doing = || format!("sync {}", new.display());
    let folder = File::open(new).map_err(Error::io(doing()))?;
    rustix::fs::syncfs(&folder).map_err(|error| Error::io(doing())(error.into()))
}

/// See the Linux version; elsewhere everything is flushed.
#[cfg(not(target_os = "linux"))]
fn sync(_new: &Path) -> Result<(), Error> {
    rustix::fs::sync();
    Ok(())
}
