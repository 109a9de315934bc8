//! Whom Postgres runs as: the invoking user, or `postgres` when that is root, whom Postgres refuses.

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::Error;
use super::process;

/// The two accounts that may connect, and the one that owns the cluster's files.
#[derive(Debug, Clone)]
pub(super) struct Account {
    /// Who started us.
    pub(super) invoker: String,
    /// Who runs the cluster.
    pub(super) name: String,
    pub(super) uid: u32,
    gid: u32,
    drops: bool,
}

impl Account {
    /// Root becomes `postgres` and never `nobody`, whose files belong to everyone's leftovers.
    pub(super) fn current() -> Result<Self, Error> {
        let uid = rustix::process::geteuid();
        let invoker = id(&["-un"]).unwrap_or_else(|| uid.as_raw().to_string());
        if !uid.is_root() {
            let gid = rustix::process::getegid().as_raw();
            let name = invoker.clone();
            return Ok(Self { invoker, name, uid: uid.as_raw(), gid, drops: false });
        }
        let number = |flag| id(&[flag, "postgres"]).and_then(|text| text.parse().ok());
        match (number("-u"), number("-g")) {
            (Some(uid), Some(gid)) if uid != 0 => {
                Ok(Self { invoker, name: "postgres".to_owned(), uid, gid, drops: true })
            }
            _ => Err(Error::NoAccount),
        }
    }

    /// A bare command that runs as this account.
    pub(super) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = process::bare(program);
        if self.drops {
            // std clears the supplementary groups by itself when root names a uid.
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Gives a file or folder of ours to the account.
    pub(super) fn give(&self, path: &Path) -> Result<(), Error> {
        if !self.drops {
            return Ok(());
        }
        std::os::unix::fs::lchown(path, Some(self.uid), Some(self.gid)).map_err(Error::io(format!(
            "give {} to {}",
            path.display(),
            self.name
        )))
    }

    /// The first folder from the root down to `dir` that the account may not pass. Access lists beyond the mode bits are not read.
    pub(super) fn stopped_at(&self, dir: &Path) -> Option<PathBuf> {
        if !self.drops {
            return None;
        }
        let mut down: Vec<&Path> = dir.ancestors().collect();
        down.reverse();
        down.into_iter().find(|folder| !self.may_pass(folder)).map(Path::to_path_buf)
    }

    fn may_pass(&self, folder: &Path) -> bool {
        let Ok(meta) = folder.metadata() else {
            return false;
        };
        let bit = if meta.uid() == self.uid {
            0o100
        } else if meta.gid() == self.gid {
            0o010
        } else {
            0o001
        };
        meta.mode() & bit != 0
    }
}

fn id(args: &[&str]) -> Option<String> {
    process::ask(process::bare("id").args(args)).filter(|text| !text.is_empty())
}
