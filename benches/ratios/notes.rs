//! What a simulated agent notes while it plays, read as it is written.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Res;

/// Longer than anything takes that an agent waits for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The notes, from the first.
pub(crate) struct Notes {
    file: File,
    rest: Vec<u8>,
    read: VecDeque<Value>,
}

impl Notes {
    /// Begins to read a log that is there.
    pub(crate) fn open(path: &Path) -> Res<Self> {
        Ok(Self { file: File::open(path)?, rest: Vec::new(), read: VecDeque::new() })
    }

    /// The next note; looked for so often.
    pub(crate) async fn next(&mut self, every: Duration) -> Res<Value> {
        let began = Instant::now();
        loop {
            if let Some(note) = self.read.pop_front() {
                return Ok(note);
            }
            self.file.read_to_end(&mut self.rest)?;
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                self.read.push_back(serde_json::from_slice(&self.rest[..end])?);
                self.rest.drain(..=end);
            }
            if self.read.is_empty() {
                if began.elapsed() > PATIENCE {
                    return Err("an agent waits for a key that does not come".into());
                }
                tokio::time::sleep(every).await;
            }
        }
    }

    /// Reads on to the next note of this kind.
    pub(crate) async fn until(&mut self, every: Duration, is_it: impl Fn(&Value) -> bool) -> Res<Value> {
        loop {
            let note = self.next(every).await?;
            if is_it(&note) {
                return Ok(note);
            }
        }
    }
}
