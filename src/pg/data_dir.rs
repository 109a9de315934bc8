//! DIR: its layout, and the lock that says who owns it.

use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::error::Error;

/// A data folder that this process owns; the kernel gives it up when the value or the process ends, however it ends.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    // Holds the lock; closed on exec, so no child carries it on.
    lock: File,
}

impl Drop for DataDir {
    /// Gives the lock back by name: a child that another thread is just starting has a copy of the descriptor until it
    /// runs its program, and closing ours would leave the folder held for that moment.
    fn drop(&mut self) {
        if let Err(error) = self.lock.unlock() {
            tracing::debug!(%error, "the data folder's lock is given back by closing it");
        }
    }
}

impl DataDir {
    /// Makes what is missing of DIR and takes it. A server with a Postgres of its own needs this too: `run/` and `keys/` are in DIR.
    pub fn claim(dir: &Path) -> Result<Self, Error> {
        make_dir(dir)?;
        let path = dir.canonicalize().map_err(Error::io(format!("resolve {}", dir.display())))?;
        refuse_foreign(&path)?;
        set_mode(&path, 0o711)?;
        let lock = take_lock(&path)?;
        for private in ["run", "keys"] {
            make_dir(&path.join(private))?;
            set_mode(&path.join(private), 0o700)?;
        }
        Ok(Self { path, lock })
    }

    /// DIR, absolute and without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The cluster's own folder.
    pub(super) fn cluster(&self) -> PathBuf {
        self.path.join("pg")
    }

    /// Our settings for the cluster: not in its folder, because root must not write where another account could plant a link.
    pub(super) fn conf(&self) -> PathBuf {
        self.path.join("pg-conf")
    }
}

/// A new folder is as closed as it will ever be; who needs it more open says so. The way to it is open, whatever the umask.
pub(super) fn make_dir(dir: &Path) -> Result<(), Error> {
    if dir.is_dir() {
        return Ok(());
    }
    let missing = |way: &&Path| !way.as_os_str().is_empty() && !way.exists();
    let mut ways: Vec<&Path> = dir.ancestors().skip(1).take_while(missing).collect();
    ways.reverse();
    for way in ways {
        create(way)?;
        set_mode(way, 0o755)?;
    }
    create(dir)
}

fn create(dir: &Path) -> Result<(), Error> {
    DirBuilder::new().mode(0o700).create(dir).map_err(Error::io(format!("make {}", dir.display())))
}

/// Sets the mode where it differs; a mounted volume may have the right one and refuse any change.
pub(super) fn set_mode(path: &Path, mode: u32) -> Result<(), Error> {
    let doing = || format!("set the mode of {} to {mode:o}", path.display());
    let now = path.metadata().map_err(Error::io(doing()))?.mode() & 0o7777;
    if now == mode {
        return Ok(());
    }
    std::fs::set_permissions(path, Permissions::from_mode(mode)).map_err(Error::io(doing()))
}

/// Someone who types `--data-dir /tmp` must not find its mode changed.
fn refuse_foreign(dir: &Path) -> Result<(), Error> {
    let entries = std::fs::read_dir(dir).map_err(Error::io(format!("read {}", dir.display())))?;
    let names: Vec<String> = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let ours = names.iter().any(|name| name == "lock" || name == "keys");
    let empty = names.iter().all(|name| name.starts_with('.') || name == "lost+found");
    if ours || empty { Ok(()) } else { Err(Error::NotOurs { dir: dir.to_path_buf() }) }
}

fn take_lock(dir: &Path) -> Result<File, Error> {
    let path = dir.join("lock");
    let doing = || format!("lock {}", path.display());
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(Error::io(doing()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Error::Held { dir: dir.to_path_buf(), pid: holder(&mut file) });
        }
        Err(TryLockError::Error(source)) => {
            return Err(Error::Io { doing: doing(), source });
        }
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(Error::io(doing()))?;
    Ok(file)
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.read_to_string(&mut text);
    let pid = text.trim();
    if read.is_err() || pid.is_empty() { "?".to_owned() } else { pid.to_owned() }
}
