//! Paths as the disk has them: every link followed by hand, so that a link into nothing is seen as what it is.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::domain::facts::{PathFact, PathKind};

/// Links that lead to links, at most; the kernel stops there too.
const MAX_LINKS: usize = 40;
/// Longer words are no paths that a proof would accept.
const MAX_WORD: usize = 1024;
/// Longer real paths fit no report.
const MAX_REAL: usize = 4096;
/// Names that are tried to find out whether a folder tells upper from lower case.
const MOST_TRIED: usize = 32;

/// The folders below which a path is inside, with every link resolved.
pub(super) struct Inside([PathBuf; 2]);

impl Inside {
    pub(super) const fn new(roots: [PathBuf; 2]) -> Self {
        Self(roots)
    }

    /// Compares component by component: `/srv/shop-old` is not inside `/srv/shop`.
    pub(super) fn holds(&self, real: &Path) -> bool {
        self.0.iter().any(|root| real.starts_with(root))
    }
}

/// What is known of a word, from a folder; none where it cannot be known, or cannot be written down.
pub(super) fn fact(cwd: &Path, word: &str, inside: &Inside) -> Option<PathFact> {
    if word.is_empty() || word.len() > MAX_WORD || word.contains('\0') {
        return None;
    }
    let (real, kind) = resolve(&cwd.join(word))?;
    let text = real.to_str().filter(|text| text.len() <= MAX_REAL)?;
    Some(PathFact { real: text.to_owned(), kind, inside: inside.holds(&real) })
}

/// Follows an absolute path component by component. A missing one is its real parent with the missing rest.
fn resolve(path: &Path) -> Option<(PathBuf, PathKind)> {
    let mut rest: VecDeque<OsString> = parts(path)?.into();
    let mut done = PathBuf::from("/");
    let (mut links, mut kind) = (0, PathKind::Dir);
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            // Links were resolved before, so the step up is the real one.
            done.pop();
            kind = PathKind::Dir;
            continue;
        }
        let here = done.join(&part);
        match fs::symlink_metadata(&here) {
            Ok(found) if found.is_symlink() => {
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                let target = fs::read_link(&here).ok()?;
                if target.is_absolute() {
                    done = PathBuf::from("/");
                }
                for part in parts(&target)?.into_iter().rev() {
                    rest.push_front(part);
                }
                // A link that is the last part may lead to the folder itself.
                kind = PathKind::Dir;
            }
            Ok(found) => {
                kind = kind_of(&found);
                // What is no folder has nothing below it.
                if kind != PathKind::Dir && !rest.is_empty() {
                    return None;
                }
                done = here;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return missing(here, rest),
            // No permission, no such device, too long: not known.
            Err(_) => return None,
        }
    }
    // The system's own answer has to be the same; it is not when something was moved in between.
    (fs::canonicalize(&done).ok()? == done).then_some((done, kind))
}

fn missing(mut done: PathBuf, rest: VecDeque<OsString>) -> Option<(PathBuf, PathKind)> {
    // A step up out of nothing leads nowhere that could be named.
    if rest.iter().any(|part| part == "..") {
        return None;
    }
    done.extend(rest);
    Some((done, PathKind::Missing))
}

/// The parts of a path, without those that say "here"; none for what is no path of this system.
fn parts(path: &Path) -> Option<Vec<OsString>> {
    let part = |component| match component {
        Component::Normal(name) => Some(Some(name.to_owned())),
        Component::ParentDir => Some(Some("..".into())),
        Component::RootDir | Component::CurDir => Some(None),
        Component::Prefix(_) => None,
    };
    let parts: Option<Vec<Option<OsString>>> = path.components().map(part).collect();
    Some(parts?.into_iter().flatten().collect())
}

fn kind_of(found: &fs::Metadata) -> PathKind {
    if found.is_dir() {
        PathKind::Dir
    } else if found.is_file() {
        PathKind::File
    } else {
        PathKind::Other
    }
}

/// Whether a folder finds its own entries under the other case too. Nothing is written for it.
pub(super) fn folds_case(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.take(MOST_TRIED).chain([folder.to_path_buf()]).any(|path| is_found_in_other_case(&path))
}

fn is_found_in_other_case(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let other: String = name
        .chars()
        .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    if other == name {
        return false;
    }
    let (Ok(one), Ok(two)) = (fs::symlink_metadata(path), fs::symlink_metadata(path.with_file_name(other))) else {
        return false;
    };
    // Two names of one file are two links to it; a folder has one name.
    (one.dev(), one.ino()) == (two.dev(), two.ino()) && (one.is_dir() || one.nlink() == 1)
}
