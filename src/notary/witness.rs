//! The checkpoint file outside the database: JSON lines, only ever appended to, each on the disk before anybody relies on it.

use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::Error;
use crate::domain::journal::checkpoint::{Checkpoint, Signed};

/// The file.
#[derive(Clone, Debug)]
pub struct Witness {
    path: Arc<Path>,
}

/// What the file says.
#[derive(Debug, Default)]
pub struct Testimony {
    /// Its checkpoints, oldest first; none has been checked.
    pub checkpoints: Vec<Signed>,
    /// Lines that could not be read: a write that a crash cut off, or somebody's edit.
    pub unreadable: usize,
}

#[derive(Serialize, Deserialize)]
struct Line {
    statement: String,
    kid: String,
    public_key: String,
    signature: String,
}

impl Witness {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a checkpoint and waits for the disk.
    pub async fn append(&self, signed: &Signed) -> Result<(), Error> {
        let line = Line {
            statement: signed.statement.clone(),
            kid: signed.kid.clone(),
            public_key: hex::encode(signed.public_key),
            signature: hex::encode(signed.signature),
        };
        let mut text = serde_json::to_string(&line).map_err(|error| Error::io(&self.path)(error.into()))?;
        text.push('\n');
        self.blocking(move |path| write_line(path, text)).await
    }

    /// Reads all of it; a file that is not there yet says nothing.
    pub async fn read(&self) -> Result<Testimony, Error> {
        let text = self
            .blocking(|path| match std::fs::read(path) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
                text => text,
            })
            .await?;
        Ok(Testimony::parse(&String::from_utf8_lossy(&text)))
    }

    /// Keeps the disk away from the async threads.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let path = self.path.clone();
        tokio::task::spawn_blocking(move || work(&path))
            .await
            .map_err(std::io::Error::other)
            .flatten()
            .map_err(Error::io(&self.path))
    }
}

fn write_line(path: &Path, mut text: String) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
    if file.metadata()?.len() > 0 {
        // A line that a crash cut off must not swallow this one.
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            text.insert(0, '\n');
        }
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

impl Testimony {
    /// The furthest point that a key has signed here: its newest epoch, and in it the highest block.
    /// Lines by other keys, and lines that do not open, say nothing.
    pub fn furthest(&self, kid: &str) -> Option<Checkpoint> {
        let own = self.checkpoints.iter().filter(|signed| signed.kid == kid);
        own.filter_map(|signed| signed.open().ok()).max_by_key(|checkpoint| (checkpoint.epoch, checkpoint.height))
    }

    fn parse(text: &str) -> Self {
        let mut this = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match serde_json::from_str::<Line>(line).ok().and_then(Line::signed) {
                Some(signed) => this.checkpoints.push(signed),
                None => this.unreadable += 1,
            }
        }
        this
    }
}

impl Line {
    fn signed(self) -> Option<Signed> {
        let mut public_key = [0; 32];
        let mut signature = [0; 64];
        hex::decode_to_slice(&self.public_key, &mut public_key).ok()?;
        hex::decode_to_slice(&self.signature, &mut signature).ok()?;
        Some(Signed { statement: self.statement, kid: self.kid, public_key, signature })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::secret_bytes;

    #[tokio::test]
    async fn a_line_cut_off_by_a_crash_costs_only_itself() {
        let name = format!("countersign-witness-{}", hex::encode(&secret_bytes()[..8]));
        let path = std::env::temp_dir().join(name);
        let witness = Witness::new(path.clone());
        assert!(witness.read().await.unwrap().checkpoints.is_empty());
        let signed =
            |text: &str| Signed { statement: text.into(), kid: "k".into(), public_key: [1; 32], signature: [2; 64] };
        witness.append(&signed("one\n")).await.unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{}", &whole[..20])).unwrap();
        witness.append(&signed("two\n")).await.unwrap();
        let read = witness.read().await.unwrap();
        assert_eq!(read.checkpoints, [signed("one\n"), signed("two\n")]);
        assert_eq!(read.unreadable, 1);
        std::fs::remove_file(&path).unwrap();
    }
}
