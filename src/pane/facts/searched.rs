//! Whether the pane's own search path leads a command to a program that lies among the lane's files.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::paths::Inside;
use crate::domain::tables;

/// Whether a program that runs no code of the repository would be found in the repository, or in whichever folder one
/// happens to stand. A runner found there (`node_modules/.bin`, `.venv/bin`) runs the repository's code by its nature.
pub(super) fn leads_inside(programs: &[String], search: &[PathBuf], inside: &Inside) -> bool {
    programs.iter().any(|program| match first(program, search) {
        Search::Found(real) => inside.holds(&real) && !tables::runs(program),
        Search::Nowhere => false,
        Search::Unsure => true,
    })
}

/// The first program of a name that lies outside the lane's folders.
pub(super) fn outside(program: &str, search: &[PathBuf], inside: &Inside) -> Option<PathBuf> {
    let absolute = search.iter().filter(|folder| folder.is_absolute());
    absolute.map(|folder| folder.join(program)).find(|path| real(path).is_some_and(|real| !inside.holds(&real)))
}

enum Search {
    Found(PathBuf),
    Nowhere,
    /// A folder of the search path is relative: which one it is depends on where one stands.
    Unsure,
}

fn first(program: &str, search: &[PathBuf]) -> Search {
    for folder in search {
        if !folder.is_absolute() {
            return Search::Unsure;
        }
        if let Some(real) = real(&folder.join(program)) {
            // The name that is found may lie inside though what it leads to does not.
            return Search::Found(std::fs::canonicalize(folder).map_or(real, |folder| folder.join(program)));
        }
    }
    Search::Nowhere
}

/// Where a program really is, if it is one.
fn real(path: &Path) -> Option<PathBuf> {
    let found = std::fs::metadata(path).ok()?;
    (found.is_file() && found.permissions().mode() & 0o111 != 0).then(|| std::fs::canonicalize(path).ok()).flatten()
}
