//! The demo's folder and the programs that run in it; everything is told to the janitor, who outlives them.

use std::fs::{DirBuilder, File, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::task::JoinSet;

use super::program::ourselves;
use crate::cli::failure::{Failure, Outcome};

/// How the demo's folders are named, in the system's folder for temporary files.
pub(super) const PREFIX: &str = "countersign-demo-";

/// Lines of a program's log that are shown when it ends too early.
const LAST_LINES: usize = 8;

/// The folder and who cleans it up.
pub(super) struct Stage {
    folder: PathBuf,
    janitor: Child,
    /// Closing it starts the cleaning.
    told: ChildStdin,
    running: JoinSet<(u32, &'static str)>,
}

impl Stage {
    /// Makes the folder and starts the janitor.
    pub(super) fn open() -> Outcome<Self> {
        let folder = std::env::temp_dir().join(format!("{PREFIX}{}", std::process::id()));
        // Root's Postgres runs as another account, which must be able to walk through.
        let made = DirBuilder::new().mode(0o711).create(&folder);
        made.map_err(|error| Failure::failed(format!("cannot make {}: {error}", folder.display())))?;
        let mut command = ourselves()?;
        command.args(["demo", "janitor", "--folder"]).arg(&folder).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut janitor = command.spawn()?;
        let told = janitor.stdin.take().ok_or_else(|| Failure::failed("the demo's janitor has no pipe"))?;
        Ok(Self { folder, janitor, told, running: JoinSet::new() })
    }

    /// A path inside the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts a program that runs as long as the demo; what it says on standard error goes to a file.
    pub(super) async fn start(&mut self, name: &'static str, command: &mut Command) -> Outcome<Child> {
        let log = File::create(self.log(name))?;
        let child = command.stderr(log).spawn()?;
        let pid = child.id().ok_or_else(|| Failure::failed(format!("{name} ended at once")))?;
        self.tell(&format!("+{pid}")).await?;
        Ok(child)
    }

    /// Looks after a program that was started; when it ends before the demo does, that is a failure.
    pub(super) fn watch(&mut self, name: &'static str, mut child: Child) {
        let pid = child.id().unwrap_or_default();
        self.running.spawn(async move {
            drop(child.wait().await);
            (pid, name)
        });
    }

    /// A program that nothing here started and that is to be stopped with the others, and the file that it leaves.
    pub(super) async fn adopt(&mut self, pid: u32, left_over: &str) -> Outcome {
        self.tell(&format!("+{pid}")).await?;
        self.tell(left_over).await
    }

    /// Waits until one of the programs ends, and says what it said last.
    pub(super) async fn one_ended(&mut self) -> Failure {
        let Some(Ok((pid, name))) = self.running.join_next().await else {
            return std::future::pending().await;
        };
        drop(self.tell(&format!("-{pid}")).await);
        self.ended(name)
    }

    /// Why the demo cannot go on without this program.
    pub(super) fn ended(&self, name: &str) -> Failure {
        let log = std::fs::read_to_string(self.log(name)).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n");
        Failure::failed(format!("the demo's {name} has ended; it said:\n{last}"))
    }

    fn log(&self, name: &str) -> PathBuf {
        self.path(&format!("{name}.log"))
    }

    async fn tell(&mut self, line: &str) -> Outcome {
        Ok(self.told.write_all(format!("{line}\n").as_bytes()).await?)
    }

    /// Writes a file that only its owner reads.
    pub(super) fn keep(&self, name: &str, text: &str) -> Outcome<PathBuf> {
        let path = self.path(name);
        std::fs::write(&path, "")?;
        std::fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        std::fs::write(&path, text)?;
        Ok(path)
    }

    /// Stops everything and removes the folder.
    pub(super) async fn close(mut self) -> Outcome {
        drop(self.told);
        // The programs are this process' children: they are gone only once somebody has asked how they ended.
        let reap = async { while self.running.join_next().await.is_some() {} };
        let (cleaned, ()) = tokio::join!(self.janitor.wait(), reap);
        if cleaned?.success() {
            return Ok(());
        }
        Err(Failure::failed(format!("{} could not be removed whole; remove it yourself", self.folder.display())))
    }
}
