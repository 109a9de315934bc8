//! A way to Postgres that breaks at a word: the connection is gone before or after the server heard the statement.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use super::{cluster, scratch};

/// When the connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The server never hears the word.
    Before,
    /// The server did what was asked, and its answer is lost.
    After,
}

/// The way. It is whole until it is told to break.
pub struct Way {
    /// The address of the database, this way.
    pub database: String,
    next: Next,
}

/// Where the way breaks next.
struct Cut {
    /// At the first statement that carries this text,
    text: &'static str,
    /// or at the commit that comes behind it on the same connection.
    at_commit: bool,
    when: When,
}

type Next = Arc<Mutex<Option<Cut>>>;

/// How Postgres is told to commit: a simple query.
const COMMIT: &[u8] = b"COMMIT\0";

impl Way {
    /// Opens a way to a database.
    pub fn to(database: &str) -> Self {
        let folder = scratch::folder("way");
        let (there, name) = cluster::socket_of(database);
        let listener = UnixListener::bind(folder.join(&name)).unwrap();
        let next = Arc::default();
        tokio::spawn(accept(listener, there.join(name), Arc::clone(&next)));
        Self { database: cluster::through(database, &folder), next }
    }

    /// The connection that sends a statement with this text breaks; once.
    pub fn cut_at(&self, text: &'static str, when: When) {
        *self.next.lock().unwrap() = Some(Cut { text, at_commit: false, when });
    }

    /// The connection that commits what it sent with this text breaks; once.
    pub fn cut_at_commit_of(&self, text: &'static str, when: When) {
        *self.next.lock().unwrap() = Some(Cut { text, at_commit: true, when });
    }

    /// Whether the word came and the connection broke.
    pub fn was_cut(&self) -> bool {
        self.next.lock().unwrap().is_none()
    }
}

async fn accept(listener: UnixListener, there: PathBuf, next: Next) {
    while let Ok((here, _)) = listener.accept().await {
        let there = UnixStream::connect(&there).await.unwrap();
        tokio::spawn(forward(here, there, Arc::clone(&next)));
    }
}

/// Passes bytes both ways; returning breaks both ends.
async fn forward(mut here: UnixStream, mut there: UnixStream, next: Next) {
    let mut carries = false;
    let (mut asked, mut answered) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        tokio::select! {
            read = here.read(&mut asked) => {
                let Ok(read @ 1..) = read else { return };
                let cut = due(&next, &asked[..read], &mut carries);
                if cut == Some(When::Before) || there.write_all(&asked[..read]).await.is_err() {
                    return;
                }
                if cut == Some(When::After) {
                    // The server's answer says that it is done, and goes no further.
                    let _ = there.read(&mut answered).await;
                    return;
                }
            }
            read = there.read(&mut answered) => {
                let Ok(read @ 1..) = read else { return };
                if here.write_all(&answered[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn due(next: &Next, sent: &[u8], carries: &mut bool) -> Option<When> {
    let mut next = next.lock().unwrap();
    let cut = next.as_ref()?;
    *carries |= has(sent, cut.text.as_bytes());
    let when = (*carries && (!cut.at_commit || has(sent, COMMIT))).then_some(cut.when);
    if when.is_some() {
        *next = None;
    }
    when
}

fn has(sent: &[u8], bytes: &[u8]) -> bool {
    sent.windows(bytes.len()).any(|part| part == bytes)
}
