//! Finding the programs of Postgres: the named folder, else the best of those that are installed.

use std::path::{Path, PathBuf};

use super::error::Error;
use super::{OLDEST_MAJOR, install_hint, process};

/// A folder with `initdb`, `postgres` and `pg_ctl`, and their major version.
#[derive(Debug, Clone)]
pub(super) struct Binaries {
    pub(super) dir: PathBuf,
    pub(super) major: u32,
}

/// Where distributions put one folder per major version: (parent, what follows the version).
const VERSIONED: [(&str, &str); 6] = [
    ("/usr/lib/postgresql", "bin"),
    ("/usr", "bin"), // /usr/pgsql-17/bin
    ("/opt/homebrew/opt", "bin"),
    ("/usr/local/opt", "bin"),
    ("/usr/libexec", ""), // Alpine: /usr/libexec/postgresql17
    ("/Library/PostgreSQL", "bin"),
];

impl Binaries {
    /// The named folder or the newest installed one. An existing cluster's own major version comes before a newer one.
    pub(super) fn find(named: Option<&Path>, cluster_major: Option<u32>) -> Result<Self, Error> {
        if let Some(dir) = named {
            return Self::named(dir);
        }
        let mut found: Vec<Self> = candidates().iter().filter_map(|dir| Self::at(dir)).collect();
        found.retain(|binaries| binaries.major >= OLDEST_MAJOR);
        found
            .into_iter()
            .max_by_key(|binaries| (Some(binaries.major) == cluster_major, binaries.major))
            .ok_or_else(|| Error::NoBinaries { install: install_hint::line() })
    }

    fn named(dir: &Path) -> Result<Self, Error> {
        let bad = |why: String| Error::BadBinaries { dir: dir.to_path_buf(), why };
        match Self::at(dir) {
            None => Err(bad("there is no working `postgres` and `initdb` in this folder".to_owned())),
            Some(old) if old.major < OLDEST_MAJOR => {
                Err(bad(format!("this is Postgres {}; {OLDEST_MAJOR} or newer is needed", old.major)))
            }
            Some(binaries) => Ok(binaries),
        }
    }

    fn at(dir: &Path) -> Option<Self> {
        if !dir.join("initdb").is_file() || !dir.join("pg_ctl").is_file() {
            return None;
        }
        let dir = dir.canonicalize().ok()?;
        let version = process::ask(process::bare(dir.join("postgres")).arg("--version"))?;
        let major = major_of(&version)?;
        Some(Self { dir, major })
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

fn candidates() -> Vec<PathBuf> {
    let mut dirs = Vec::new();
    for (parent, below) in VERSIONED {
        let Ok(entries) = std::fs::read_dir(parent) else {
            continue;
        };
        let named = entries.flatten().filter(|entry| looks_versioned(&entry.file_name().to_string_lossy()));
        dirs.extend(named.map(|entry| entry.path().join(below)));
    }
    // The two that follow the user's PATH, which only a child of ours may read.
    let from_config = process::ask(process::inheriting("pg_config").arg("--bindir"));
    let from_path = process::ask(process::inheriting("sh").args(["-c", "command -v postgres"]))
        .and_then(|program| Some(Path::new(&program).canonicalize().ok()?.parent()?.to_path_buf()));
    dirs.extend(from_config.map(PathBuf::from).into_iter().chain(from_path));
    dirs.sort();
    dirs.dedup();
    dirs
}

/// `17`, `pgsql-17`, `postgresql17`, `postgresql@17`, `postgresql`.
fn looks_versioned(name: &str) -> bool {
    let rest = name.trim_start_matches("postgresql").trim_start_matches("pgsql");
    let number = rest.trim_start_matches(['-', '@']);
    let bare = rest.len() == name.len();
    number.chars().all(|c| c.is_ascii_digit()) && !(bare && number.is_empty())
}

/// The major version in `postgres (PostgreSQL) 15.18 (Debian …)`; a pre-release reads `18beta1`.
fn major_of(version: &str) -> Option<u32> {
    let number = version.split(") ").nth(1)?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{looks_versioned, major_of};

    #[test]
    fn reads_the_major_version() {
        for (text, major) in [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", Some(15)),
            ("postgres (PostgreSQL) 18beta1", Some(18)),
            ("postgres (PostgreSQL) 17.2", Some(17)),
            ("something else", None),
        ] {
            assert_eq!(major_of(text), major, "{text}");
        }
    }

    #[test]
    fn knows_the_folders_of_distributions() {
        for name in ["15", "pgsql-17", "postgresql17", "postgresql@17", "postgresql"] {
            assert!(looks_versioned(name), "{name}");
        }
        for name in ["bin", "lib", "", "x11", "postgresql-common"] {
            assert!(!looks_versioned(name), "{name}");
        }
    }
}
