//! The one temporary folder of a run, gone when the run ends.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::Res;

/// The folder; dropping it removes it.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Res<Self> {
        let root = std::env::temp_dir().join(format!("countersign-bench-{}", std::process::id()));
        std::fs::create_dir(&root)?;
        let scratch = Self(root);
        // Root's Postgres runs as `postgres`, which must be able to walk through to its own folder.
        std::fs::set_permissions(scratch.path(), std::fs::Permissions::from_mode(0o711))?;
        Ok(scratch)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            eprintln!("bench: {} stays: {error}", self.0.display());
        }
    }
}
