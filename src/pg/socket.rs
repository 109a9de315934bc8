//! The folder of the cluster's socket: inside DIR, unless that path is too long for a socket address.

use std::fs::DirBuilder;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::PORT;
use super::account::Account;
use super::data_dir::{DataDir, make_dir};
use super::error::Error;

/// A socket address holds 108 bytes on Linux, 104 on macOS; Postgres wants some of them.
const LONGEST: usize = 100;

/// Makes the folder (0700, the account's own) and returns it.
pub(super) fn make_folder(dir: &DataDir, account: &Account) -> Result<PathBuf, Error> {
    let inside = dir.path().join("pg-run");
    if file_in(&inside).as_os_str().len() <= LONGEST {
        make_dir(&inside)?;
        account.give(&inside)?;
        return Ok(inside);
    }
    let mut hasher = DefaultHasher::new();
    dir.path().hash(&mut hasher);
    let name = format!("countersign-{}-{:016x}", account.uid, hasher.finish());
    let short = [std::env::temp_dir(), PathBuf::from("/tmp")]
        .map(|temp| temp.join(&name))
        .into_iter()
        .find(|folder| file_in(folder).as_os_str().len() <= LONGEST)
        .unwrap_or(inside);
    make_shared(&short, account)?;
    Ok(short)
}

/// The socket file of a folder.
pub(super) fn file_in(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{PORT}"))
}

/// In a folder where anyone may write, only one that is ours already will do: not a link, not another user's.
fn make_shared(folder: &Path, account: &Account) -> Result<(), Error> {
    let doing = || format!("use {} for the database's socket", folder.display());
    match DirBuilder::new().mode(0o700).create(folder) {
        Ok(()) => return account.give(folder),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(Error::io(doing())(error)),
    }
    let meta = folder.symlink_metadata().map_err(Error::io(doing()))?;
    if meta.is_dir() && meta.uid() == account.uid && meta.mode() & 0o777 == 0o700 {
        return Ok(());
    }
    let taken = std::io::Error::other("someone else has made it; remove it");
    Err(Error::io(doing())(taken))
}
