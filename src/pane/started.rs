//! The file of orders whose key may have been pressed: written to the disk before the key, so that no restart forgets it.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use uuid::Uuid;

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StartedError {
    /// Two clients with one token would press twice.
    #[error("another `countersign pane` with this token is at work (it holds {}); stop it first, or give this one a token of its own", .0.display())]
    InUse(PathBuf),
    /// The disk says no.
    #[error("cannot keep {}: {why}", .path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: io::Error,
    },
    /// It is not what this program writes: which orders were started is not known.
    #[error("{} is damaged at line {line}; if no key can have been pressed since, remove it", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        line: usize,
    },
}

/// The started orders of one client. The file is held as long as this lives.
#[derive(Debug)]
pub struct Started {
    file: File,
    orders: BTreeSet<Uuid>,
}

impl Started {
    /// Opens the file, or makes it, in a folder of ours; reads what an earlier run left.
    pub fn open(path: &Path) -> Result<Self, StartedError> {
        let failed = |why| StartedError::Disk { path: path.to_path_buf(), why };
        let file = open(path).map_err(failed)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|_| StartedError::InUse(path.to_path_buf()))?;
        let mut text = Vec::new();
        (&file).read_to_end(&mut text).map_err(failed)?;
        // The last line of a machine that lost its power: the key comes only after the whole line is on the disk.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        let mut orders = BTreeSet::new();
        for (at, line) in text[..whole].split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            match std::str::from_utf8(line).ok().and_then(read) {
                Some((id, true)) => drop(orders.insert(id)),
                Some((id, false)) => drop(orders.remove(&id)),
                None => return Err(StartedError::Damaged { path: path.to_path_buf(), line: at + 1 }),
            }
        }
        let mut started = Self { file, orders };
        started.clear().map_err(failed)?;
        Ok(started)
    }

    /// Orders that were started and whose end the server has not heard.
    pub fn contains(&self, id: Uuid) -> bool {
        self.orders.contains(&id)
    }

    /// Writes that an order's key is about to be pressed, and waits until the disk has it.
    pub fn begin(&mut self, id: Uuid) -> io::Result<()> {
        self.append('+', id)?;
        self.orders.insert(id);
        Ok(())
    }

    /// Writes that the server has heard the order's end.
    pub fn done(&mut self, id: Uuid) -> io::Result<()> {
        if self.orders.remove(&id) {
            self.append('-', id)?;
            self.clear()?;
        }
        Ok(())
    }

    fn append(&mut self, sign: char, id: Uuid) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(format!("{sign}{id}\n").as_bytes()).and_then(|()| self.file.sync_all());
        if written.is_err() {
            // A full disk may have taken half of the line, which the next one must not join.
            self.file.set_len(before)?;
        }
        written
    }

    /// Begins anew when nothing is open. The same file stays, because the lock is on it.
    fn clear(&mut self) -> io::Result<()> {
        if !self.orders.is_empty() {
            return Ok(());
        }
        self.file.set_len(0)?;
        self.file.sync_all()
    }
}

fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
    if let Some(folder) = path.parent() {
        // The name itself must be on the disk too.
        File::open(folder)?.sync_all()?;
    }
    Ok(file)
}

fn read(line: &str) -> Option<(Uuid, bool)> {
    let sign = line.chars().next()?;
    let id = line.get(1..)?.parse().ok()?;
    match sign {
        '+' => Some((id, true)),
        '-' => Some((id, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    /// A folder that goes away with its test.
    struct Folder(PathBuf);

    fn folder() -> Folder {
        let name = crate::clock::Ids.new_id(chrono::DateTime::UNIX_EPOCH);
        Folder(std::env::temp_dir().join(format!("countersign-started-{name}")))
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            std::fs::remove_dir_all(&self.0).ok();
        }
    }

    #[test]
    fn what_was_started_outlives_the_process() {
        let folder = folder();
        let path = folder.0.join("deep").join("started");
        let mut first = Started::open(&path).unwrap();
        first.begin(id(1)).unwrap();
        first.begin(id(2)).unwrap();
        first.done(id(1)).unwrap();
        drop(first);
        let mut second = Started::open(&path).unwrap();
        assert!(!second.contains(id(1)) && second.contains(id(2)) && !second.contains(id(3)));
        second.done(id(2)).unwrap();
        drop(second);
        assert!(!Started::open(&path).unwrap().contains(id(2)));
        assert_eq!(std::fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn a_half_written_last_line_is_no_start_and_a_damaged_file_is_told() {
        let folder = folder();
        let path = folder.0.join("started");
        drop(Started::open(&path).unwrap());
        let half = format!("+{}\n+{}", id(1), &id(2).to_string()[..20]);
        std::fs::write(&path, &half).unwrap();
        let opened = Started::open(&path).unwrap();
        assert!(opened.contains(id(1)) && !opened.contains(id(2)));
        drop(opened);
        // What is written next does not join the half line.
        let again = Started::open(&path);
        assert!(again.is_ok_and(|again| again.contains(id(1))));
        std::fs::write(&path, format!("rubbish\n+{}\n", id(1))).unwrap();
        assert!(matches!(Started::open(&path), Err(StartedError::Damaged { line: 1, .. })));
    }

    #[test]
    fn two_clients_do_not_share_it() {
        let folder = folder();
        let path = folder.0.join("started");
        let first = Started::open(&path).unwrap();
        assert!(matches!(Started::open(&path), Err(StartedError::InUse(_))));
        drop(first);
        Started::open(&path).unwrap();
    }
}
